import { expectTypeOf, test } from 'vitest'
import type { Controller } from '../index.js'
import { Entity } from '../index.js'
import { fetchTogether, optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Project extends Entity {
  id = 0
  title = ''
}

class Task extends Entity {
  id = 0
  projectId = 0
  title = ''
}

const projects = createResource({ path: '/project/:id', schema: Project, optimistic })
const tasks = createResource({ path: '/task/:id', schema: Task, optimistic })
declare const controller: Controller

test('the values of the promises are a tuple, and a temporary id stands where a number is', () => {
  const together = fetchTogether(controller, (fetch) => {
    const project = fetch(projects.create, { title: 'x' })
    const projectId = project.temporaryId
    return [project, fetch(tasks.create, { projectId }), fetch(tasks.partialUpdate, { id: 5 }, { projectId })]
  })
  expectTypeOf(together).toEqualTypeOf<Promise<[Project, Task, Task]>>()
  const many = fetchTogether(controller, (fetch) =>
    [5, 6].map((id) => fetch(tasks.partialUpdate, { id }, {})),
  )
  expectTypeOf(many).toEqualTypeOf<Promise<Task[]>>()
})

test('wrong calls are refused', () => {
  void fetchTogether(controller, (fetch) => [
    // @ts-expect-error a read
    fetch(projects.get, { id: 5 }),
    // @ts-expect-error not a field of the class
    fetch(projects.create, { name: 'x' }),
    // @ts-expect-error not a text
    fetch(tasks.create, { projectId: 'x' }),
  ])
  // @ts-expect-error a promise of promises: what follows an `await` would not be shown at once
  void fetchTogether(controller, async (fetch) => [fetch(projects.create, {})])
})
