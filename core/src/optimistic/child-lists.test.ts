import { expect, test } from 'vitest'
import { Controller, Counted, Entity, Query, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Project extends Entity {
  id: number | string = 0
  title = ''
  static override key = 'Project'
}

class Task extends Entity {
  id: number | string = 0
  projectId: number | string = 0
  title = ''
  static override key = 'Task'
}

/** A server that a test lets answer, and the resources of it. */
function setUp() {
  const requests: string[] = []
  const held: (() => void)[] = []
  const answers: Record<string, unknown> = { 'GET /project': [], 'POST /project': { id: 10, title: 'Move' } }
  const shared = {
    optimistic,
    fetchResponse: async (url: string, { method = 'GET' }: RequestInit) => {
      requests.push(`${method} ${url}`)
      if (method !== 'GET') await new Promise<void>((resolve) => held.push(resolve))
      const answer = answers[`${method} ${url}`]
      if (answer === undefined) return new Response('{}', { status: 404 })
      return answer === null ? new Response(null, { status: 204 }) : Response.json(answer)
    },
  }
  const controller = new Controller()
  const projects = createResource({ ...shared, path: '/project/:id', schema: Project })
  const tasks = createResource({
    ...shared,
    path: '/task/:id',
    schema: Task,
    searchParams: {} as { projectId?: number | string; page?: number; near?: number | string },
  })
  const begin = async () => {
    await controller.fetch(projects.getList)
    const creating = controller.fetch(projects.create, { title: 'Move' })
    const projectId = controller.read(projects.getList).data?.[0]?.id as number
    return { creating, projectId }
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  const answerNext = async () => {
    held.shift()?.()
    for (let round = 0; round < 4; round++) await settle()
  }
  return { controller, shared, projects, tasks, requests, answers, begin, answerNext, settle }
}

test('a list in an envelope, and its number, are those of a record that is being made', async () => {
  const { answerNext, answers, begin, controller, tasks } = setUp()
  const page = tasks.getList.extend({
    schema: { results: new schema.Collection([Task]), next: '' },
  })
  const counted = tasks.getList.extend({
    schema: new Counted({ results: tasks.getList.schema, meta: { total: 0 } }, 'meta', 'total'),
  })
  const { projectId } = await begin()
  expect(controller.read(page, { projectId })).toMatchObject({
    status: 'Stale',
    data: { results: [], next: '' },
  })
  expect(controller.read(counted, { projectId }).data).toEqual({ results: [], meta: { total: 0 } })
  const creating = controller.fetch(tasks.create, { projectId, title: 'Pack' })
  expect(controller.read(page, { projectId }).data).toMatchObject({ results: [{ title: 'Pack' }], next: '' })
  expect(controller.read(counted, { projectId }).data).toMatchObject({ results: [{}], meta: { total: 1 } })
  answers['POST /task'] = { id: 20, projectId: 10, title: 'Pack' }
  await answerNext()
  await answerNext()
  await creating
  expect(controller.read(counted, { projectId: 10 }).data).toMatchObject({
    results: [{ id: 20 }],
    meta: { total: 1 },
  })
})

test('a param of the path names the record', async () => {
  const { answerNext, answers, begin, controller, requests, shared } = setUp()
  const tasks = createResource({ ...shared, path: '/project/:projectId/task/:id', schema: Task })
  const { projectId } = await begin()
  expect(controller.read(tasks.getList, { projectId }).data).toEqual([])
  const creating = controller.fetch(tasks.create, { projectId }, { title: 'Pack' })
  expect(controller.read(tasks.getList, { projectId }).data).toMatchObject([{ title: 'Pack' }])
  answers['POST /project/10/task'] = { id: 20, projectId: 10, title: 'Pack' }
  await answerNext()
  expect(controller.read(tasks.getList, { projectId: 10 }).data).toMatchObject([{ title: 'Pack' }])
  await answerNext()
  await creating
  for (const id of [projectId, 10])
    expect(controller.read(tasks.getList, { projectId: id }).data).toMatchObject([{ id: 20 }])
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([
    'POST /project',
    'POST /project/10/task',
  ])
})

test('a part of a list, and a list of an argument that is no field, wait as before', async () => {
  const { begin, controller, tasks } = setUp()
  const { projectId } = await begin()
  for (const params of [{ projectId, page: 2 }, { near: projectId }])
    expect(controller.read(tasks.getList, params)).toMatchObject({ status: 'Invalid', data: undefined })
})

test('what was made before its list was opened is in it', async () => {
  const { begin, controller, tasks } = setUp()
  const { projectId } = await begin()
  void controller.fetch(tasks.create, { projectId, title: 'Pack' })
  expect(controller.read(tasks.getList, { projectId }).data).toMatchObject([{ title: 'Pack' }])
  expect(controller.read(tasks.getList, { projectId: 5 }).data).toBe(undefined)
})

test('a query by the field shows what waits, with the real id as soon as it is known', async () => {
  const { answerNext, begin, controller, projects, tasks } = setUp()
  const ofProject = new Query(new schema.All(Task), (all, { projectId }: { projectId: number }) =>
    all.filter((task) => task.projectId === projectId),
  )
  const { projectId } = await begin()
  void controller.fetch(tasks.create, { projectId, title: 'Pack' })
  const shown: unknown[] = []
  const note = () => {
    const [project] = controller.read(projects.getList).data ?? []
    shown.push(controller.get(ofProject, { projectId: project?.id as number })?.length)
  }
  controller.subscribe(projects.getList, note)
  await answerNext()
  expect(controller.get(Project, { id: 10 })).toBeDefined()
  note()
  expect(new Set(shown)).toEqual(new Set([1]))
})

test('a create without an id in its response leaves the list unknown again', async () => {
  const { answerNext, answers, begin, controller, tasks } = setUp()
  answers['POST /project'] = null
  const { creating, projectId } = await begin()
  expect(controller.read(tasks.getList, { projectId }).data).toEqual([])
  await answerNext()
  await creating
  expect(controller.read(tasks.getList, { projectId })).toMatchObject({ status: 'Invalid', data: undefined })
  await expect(controller.fetch(tasks.getList, { projectId })).rejects.toMatchObject({
    code: 'argument-invalid',
  })
})

test('a reset forgets the list', async () => {
  const { begin, controller, tasks } = setUp()
  const { creating, projectId } = await begin()
  creating.catch(() => {})
  expect(controller.read(tasks.getList, { projectId }).data).toEqual([])
  controller.resetAll()
  expect(controller.read(tasks.getList, { projectId }).data).toBe(undefined)
})
