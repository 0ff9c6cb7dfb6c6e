import { Controller, Entity, schema } from '@selfsame/core'
import type { Schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { createResource } from '@selfsame/core/rest'
import { memoryStorage } from '@selfsame/core/storage'
import type { RowStorage } from '@selfsame/core/storage'
import { expect } from 'vitest'
import type { Reader } from '../contract.js'
import { baseUrl, reply } from '../server.js'
import type { Server, ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Opened, Stage } from '../suite.js'
import { ManualNetwork } from '../surroundings.js'
import { platformIsDone, scenarioOnEachPlatform } from './platforms.js'
import type { Given } from './platforms.js'

// A project, its tasks and their comments, all made without a network: each names a record that the server does not know yet.

class Comment extends Entity {
  id: number | string = 0
  taskId: number | string = 0
  text = ''
  static override key = 'Comment'
}

class Task extends Entity {
  id: number | string = 0
  projectId: number | string = 0
  title = ''
  static override key = 'Task'
}

class Project extends Entity {
  id: number | string = 0
  title = ''
  static override key = 'Project'
}

function resourcesOf(server: Server) {
  const shared = {
    urlPrefix: baseUrl,
    fetchResponse: (url: string, init: RequestInit) => server.fetch(url, init),
    optimistic,
  }
  return {
    project: createResource({ ...shared, path: '/project/:id', schema: Project }),
    task: createResource({
      ...shared,
      path: '/task/:id',
      schema: Task,
      searchParams: {} as { projectId?: number | string },
    }),
    comment: createResource({
      ...shared,
      path: '/comment/:id',
      schema: Comment,
      searchParams: {} as { taskId?: number | string },
    }),
  }
}

type Resources = ReturnType<typeof resourcesOf>

/** What the server has been sent: requests that change something, with their bodies. */
function sendingTo(server: Server): unknown[] {
  const sent: unknown[] = []
  for (const [path, id] of [
    ['project', 10],
    ['task', 20],
    ['comment', 30],
  ] as const) {
    let next: number = id
    server.route(`POST /${path}`, ({ body }: ServerRequest) => {
      sent.push([path, body])
      return { ...(body as object), id: next++ }
    })
  }
  server.route('GET /project', [])
  return sent
}

const idIn = (reader: Reader) => (shown(reader) as readonly { id: number | string }[]).at(-1)?.id as number

/** Makes a project, a task of it and a comment on that, as pages do that show each of them. */
async function makeTree({ controller, mount }: Opened, { settle }: Stage, resources: Resources) {
  const projects = await mount('useSuspense', resources.project.getList)
  await settle()
  const made: Promise<unknown>[] = [controller.fetch(resources.project.create, { title: 'Move' })]
  await settle()
  const projectId = idIn(projects)
  const project = await mount('useSuspense', resources.project.get, { id: projectId })
  const tasks = await mount('useSuspense', resources.task.getList, { projectId })
  expect(shown(tasks)).toEqual([])
  made.push(controller.fetch(resources.task.create, { projectId, title: 'Pack' }))
  await settle()
  const taskId = idIn(tasks)
  const comments = await mount('useSuspense', resources.comment.getList, { taskId })
  expect(shown(comments)).toEqual([])
  made.push(controller.fetch(resources.comment.create, { taskId, text: 'Boxes' }))
  await settle()
  const ended = Promise.allSettled(made)
  return { projects, project, tasks, comments, ended, ids: { projectId, taskId } }
}

const tree = [
  ['project', { title: 'Move' }],
  ['task', { projectId: 10, title: 'Pack' }],
  ['comment', { taskId: 20, text: 'Boxes' }],
]

function expectTree({ projects, project, tasks, comments }: Record<string, Reader>): void {
  expect([projects, project, tasks, comments].map((reader) => shown(reader as Reader))).toEqual([
    [{ id: 10, title: 'Move' }],
    { id: 10, title: 'Move' },
    [{ id: 20, projectId: 10, title: 'Pack' }],
    [{ id: 30, taskId: 20, text: 'Boxes' }],
  ])
}

function routeTree(server: Server): void {
  server.route('GET /project/10', { id: 10, title: 'Move' })
  server.route('GET /task?projectId=10', [{ id: 20, projectId: 10, title: 'Pack' }])
  server.route('GET /comment?taskId=20', [{ id: 30, taskId: 20, text: 'Boxes' }])
}

scenario(
  'F7/tree',
  'what is made in a record that is being made is shown in its lists, and sent after it with its real id',
  async (stage) => {
    const { server, settle } = stage
    const resources = resourcesOf(server)
    const sent = sendingTo(server)
    server.hold('POST /project', 'POST /task', 'POST /comment')
    const { ended, ids, ...readers } = await makeTree(stage, stage, resources)
    expect(shown(readers.tasks)).toMatchObject([{ projectId: ids.projectId, title: 'Pack' }])
    expect(shown(readers.comments)).toMatchObject([{ taskId: ids.taskId, text: 'Boxes' }])
    expect(server.requests).toEqual(['GET /project', 'POST /project'])
    // The server has not got the task yet.
    server.route('GET /task?projectId=10', [])
    server.route('GET /comment?taskId=20', [])
    for (const path of ['project', 'task', 'comment']) {
      server.release(`POST /${path}`)
      await settle()
    }
    expect(await ended).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ])
    expect(sent).toEqual(tree)
    expectTree(readers)
    expect(readers.tasks.fallbacks + readers.comments.fallbacks).toBe(0)
    expect(server.requests.filter((each) => each.startsWith('GET'))).toEqual([
      'GET /project',
      'GET /task?projectId=10',
      'GET /comment?taskId=20',
    ])
  },
)

scenario(
  'F7/tree/real id',
  'a list of what belongs to a created record is the same by its temporary id and by its real one',
  async (stage) => {
    const { controller, mount, server, settle } = stage
    const resources = resourcesOf(server)
    sendingTo(server)
    routeTree(server)
    server.hold('POST /project')
    const { tasks } = await makeTree(stage, stage, resources)
    server.hold('GET /task?projectId=10', 'POST /task')
    server.release('POST /project')
    await settle()
    // The page names the project by the id that it has now.
    const renamed = await mount('useSuspense', resources.task.getList, { projectId: 10 })
    expect(renamed.fallbacks).toBe(0)
    expect(shown(renamed)).toMatchObject([{ projectId: 10, title: 'Pack' }])
    expect(shown(tasks)).toMatchObject([{ projectId: 10, title: 'Pack' }])
    expect(server.requests.filter((each) => each === 'GET /task?projectId=10')).toHaveLength(1)
    server.release()
    await settle()
    server.hold('POST /task')
    const second = controller.fetch(resources.task.create, { projectId: 10, title: 'Drive' })
    await settle()
    for (const reader of [tasks, renamed])
      expect(shown(reader)).toMatchObject([{ title: 'Pack' }, { title: 'Drive' }])
    server.release()
    await second
    await settle()
    for (const reader of [tasks, renamed])
      expect(shown(reader)).toMatchObject([{ id: 20 }, { id: 21, title: 'Drive' }])
  },
)

scenario(
  'F7/tree/refused',
  'what is made in a record that the server refuses goes with it, and is never sent',
  async (stage) => {
    const { server, settle } = stage
    const resources = resourcesOf(server)
    const sent = sendingTo(server)
    server.hold('POST /project')
    server.route('POST /project', reply.status(422, { message: 'No title' }))
    const { ended, projects, tasks, comments } = await makeTree(stage, stage, resources)
    server.release()
    expect(await ended).toMatchObject([
      { status: 'rejected', reason: { status: 422 } },
      { status: 'rejected', reason: { code: 'create-failed' } },
      { status: 'rejected', reason: { code: 'create-failed' } },
    ])
    await settle()
    expect(shown(projects)).toEqual([])
    expect([tasks.current(), comments.current()]).toMatchObject([
      { state: 'error', error: { code: 'create-failed' } },
      { state: 'error', error: { code: 'create-failed' } },
    ])
    expect(sent).toEqual([])
    expect(stage.controller.get(new schema.All(Task)) ?? []).toEqual([])
    expect(server.requests).toEqual(['GET /project', 'POST /project'])
  },
  { isLogged: true },
)

/** Opens an application with an outbox, whose network is gone once the platform is ready. */
async function openOffline(stage: Stage, given: Given) {
  const { open, server } = stage
  const resources = resourcesOf(server)
  const sent = sendingTo(server)
  const network = new ManualNetwork()
  const opened = open({
    middleware: [outbox({ endpoints: Object.values(resources), network, ...given })],
  })
  const inOutbox = await opened.mount('useOutbox', resources.project.get)
  await platformIsDone(stage)
  network.set(false)
  return { resources, sent, network, opened, inOutbox }
}

scenarioOnEachPlatform(
  '4.7/tree',
  'a project, its tasks and their comments that were made without a network are shown, and sent in order',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { server, settle } = stage
    const { resources, sent, network, opened, inOutbox: waiting } = await openOffline(stage, given)
    const { ended, ids, ...readers } = await makeTree(opened, stage, resources)
    expect(shown(readers.comments)).toMatchObject([{ taskId: ids.taskId, text: 'Boxes' }])
    expect(sent).toEqual([])
    routeTree(server)
    network.set(true)
    await ended
    await platformIsDone(stage)
    await settle()
    expect(sent).toEqual(tree)
    expectTree(readers)
    expect(shown(waiting)).toMatchObject({ mutations: [] })
  },
)

scenarioOnEachPlatform(
  '4.7/tree/reload',
  'so they are after a reload, on pages that name what has no id yet',
  { entries: ['outbox'], hasStorage: true },
  async (stage, given) => {
    const { open, server, settle } = stage
    const resources = resourcesOf(server)
    const sent = sendingTo(server)
    const network = new ManualNetwork()
    const { storage = memoryStorage() } = given
    const options = { endpoints: Object.values(resources), network, ...given }
    network.set(false)
    const first = new Controller({ middleware: [outbox(options)] })
    const idsOf = (Class: Schema) =>
      (first.get(new schema.All(Class)) as readonly { id: number }[])[0]?.id as number
    const made: Promise<unknown>[] = [first.fetch(resources.project.create, { title: 'Move' })]
    const ids = { projectId: idsOf(Project), taskId: 0 }
    made.push(first.fetch(resources.task.create, { projectId: ids.projectId, title: 'Pack' }))
    ids.taskId = idsOf(Task)
    made.push(first.fetch(resources.comment.create, { taskId: ids.taskId, text: 'Boxes' }))
    const ended = Promise.allSettled(made)
    await outboxOf(first).written()
    first.dispose()
    await ended
    const gate = new EventTarget()
    const read = new Promise((resolve) => gate.addEventListener('open', resolve))
    const list: RowStorage['list'] = (...args) => read.then(() => storage.list(...args))
    const { mount } = open({ middleware: [outbox({ ...options, storage: { ...storage, list } })] })
    // The pages are there before it is known what waits.
    const project = await mount('useSuspense', resources.project.get, { id: ids.projectId })
    const tasks = await mount('useSuspense', resources.task.getList, { projectId: ids.projectId })
    const comments = await mount('useSuspense', resources.comment.getList, { taskId: ids.taskId })
    gate.dispatchEvent(new Event('open'))
    await platformIsDone(stage)
    await settle()
    const projects = await mount('useSuspense', resources.project.getList)
    await settle()
    expect(server.requests).toEqual(['GET /project'])
    expect([projects, project, tasks, comments].map(shown)).toMatchObject([
      [{ title: 'Move' }],
      { title: 'Move' },
      [{ title: 'Pack' }],
      [{ text: 'Boxes' }],
    ])
    expect(sent).toEqual([])
    routeTree(server)
    network.set(true)
    await settle()
    await platformIsDone(stage)
    await settle()
    expect(sent).toEqual(tree)
    expectTree({ projects, project, tasks, comments })
  },
)

scenarioOnEachPlatform(
  '4.7/tree/refused',
  'a parent that is refused takes what was made in it along, and the outbox keeps all of them until it is sent again',
  { entries: ['outbox'] },
  async (stage, given) => {
    const { server, settle } = stage
    const { resources, sent, network, opened, inOutbox: kept } = await openOffline(stage, given)
    server.route('POST /project', reply.status(422, { message: 'No title' }))
    const { ended, ids: _ids, projects, ...others } = await makeTree(opened, stage, resources)
    for (const reader of Object.values(others)) await reader.unmount()
    network.set(true)
    expect(await ended).toMatchObject([
      { status: 'rejected', reason: { status: 422 } },
      { status: 'rejected', reason: { code: 'create-failed' } },
      { status: 'rejected', reason: { code: 'create-failed' } },
    ])
    await platformIsDone(stage)
    expect(shown(kept)).toMatchObject({
      mutations: [
        { endpoint: 'Project.create', status: 'failed', reason: 'refused', error: { status: 422 } },
        { endpoint: 'Task.create', status: 'failed', reason: 'dependency' },
        { endpoint: 'Comment.create', status: 'failed', reason: 'dependency' },
      ],
    })
    expect(shown(projects)).toEqual([])
    expect(sent).toEqual([])
    sendingTo(server)
    routeTree(server)
    await outboxOf(opened.controller).retry()
    await settle()
    await platformIsDone(stage)
    expect(shown(kept)).toMatchObject({ mutations: [] })
    expect(shown(projects)).toEqual([{ id: 10, title: 'Move' }])
    expect(opened.controller.get(new schema.All(Comment))).toEqual([{ id: 30, taskId: 20, text: 'Boxes' }])
  },
)
