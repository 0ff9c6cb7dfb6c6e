// project.ts
import { Entity } from '@selfsame/core'
import type { Controller } from '@selfsame/core'
import { fetchTogether, optimistic } from '@selfsame/core/optimistic'
import { RestEndpoint, createResource } from '@selfsame/core/rest'

export class Project extends Entity {
  id: number | string = 0
  title = ''
  isDone = false
  static override key = 'Project'
}

export class Task extends Entity {
  id: number | string = 0
  projectId: number | string = 0
  title = ''
  isDone = false
  static override key = 'Task'
}

const urlPrefix = 'https://api.example.com'

export const projectResource = createResource({
  urlPrefix,
  path: '/project/:id',
  schema: Project,
  optimistic,
})

export const taskResource = createResource({
  urlPrefix,
  path: '/task/:id',
  searchParams: {} as { projectId: number | string },
  schema: Task,
  optimistic,
})

export function startProject(controller: Controller, title: string) {
  return fetchTogether(controller, (fetch) => {
    const project = fetch(projectResource.create, { title })
    const projectId = project.temporaryId
    return [
      project,
      fetch(taskResource.create, { projectId, title: 'Plan' }),
      fetch(taskResource.create, { projectId, title: 'Pack' }),
    ]
  })
}

export const finishProject = new RestEndpoint({
  urlPrefix,
  path: '/project/:id/finish',
  method: 'POST',
  body: undefined,
  schema: { project: Project, tasks: [Task] },
  getOptimisticResponse: optimistic((snapshot, params: { id: number }) => {
    const ofProject = { projectId: params.id }
    const { data } = snapshot.read(taskResource.getList, ofProject)
    return {
      project: { id: params.id, isDone: true },
      tasks: (data ?? []).map(({ id }) => ({ id, isDone: true })),
    }
  }),
})
