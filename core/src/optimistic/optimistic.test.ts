import { expect, test, vi } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { schema } from '../index.js'
import { Observer } from '../observer/observer.js'
import { createResource } from '../rest/resource.js'
import { Entity } from '../schema/entity.js'
import { optimistic } from './optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const get = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'read' }), {
  name: 'getTodo',
  schema: Todo,
})

test('what was not made by optimistic is refused', () => {
  const options = { name: 'save', sideEffect: true, schema: Todo } as const
  expect(
    () => new Endpoint(async () => ({}), { ...options, getOptimisticResponse: (() => ({})) as never }),
  ).toThrow('The option `getOptimisticResponse` of save is a function, which `optimistic` did not create')
  expect(() => createResource({ path: '/todo/:id', schema: Todo, optimistic: true as never })).toThrow(
    'The option `optimistic` of Todo is a boolean, which `optimistic` did not create',
  )
})

test('a Controller shows mutations early from the first that brings what it takes', async () => {
  const controller = new Controller()
  const observer = new Observer(controller, get, [{ id: 1 }])
  await observer.load()
  expect(callsOf(controller).store.layers).toBe(undefined)
  const tell = vi.fn()
  const end = observer.subscribe(tell)
  // Defined here, like in a route that is loaded lazily.
  const save = new Endpoint(async ({ id }: { id: number }) => ({ id, title: 'saved' }), {
    name: 'save',
    sideEffect: true,
    schema: Todo,
    getOptimisticResponse: optimistic((_snapshot, { id }) => ({ id, title: 'early' })),
  })
  const saving = controller.fetch(save, { id: 1 })
  expect(observer.getSnapshot()).toMatchObject({ data: { title: 'early' } })
  await saving
  expect(observer.getSnapshot()).toMatchObject({ data: { title: 'saved' } })
  expect(tell).toHaveBeenCalledTimes(2)
  end()
})

test.each<[string, () => { body: object; change: (title: string) => void }]>([
  [
    'an object',
    () => {
      const body = { title: 'typed' }
      return { body, change: (title) => (body.title = title) }
    },
  ],
  [
    'an object in an object',
    () => {
      const body = { title: 'typed', tags: { first: 'typed' } }
      return { body, change: (title) => (body.tags.first = title) }
    },
  ],
  ...[FormData, URLSearchParams].map(
    (Form): [string, () => { body: object; change: (title: string) => void }] => [
      Form.name,
      () => {
        const body = new Form()
        body.set('title', 'typed')
        return { body, change: (title) => body.set('title', title) }
      },
    ],
  ),
])('a body (%s) that the caller changes after the call is not what is shown', (_, make) => {
  const controller = new Controller()
  const { partialUpdate } = createResource({ path: '/todo/:id', schema: Todo, optimistic })
  const save = partialUpdate.extend({ fetch: () => new Promise(() => {}) })
  controller.set(Todo, { id: 1 }, { title: 'stored' })
  const { body, change } = make()
  void controller.fetch(save, { id: 1 }, body as { title: string })
  const shown = { ...controller.get(Todo, { id: 1 }) }
  expect(shown.title).toBe('typed')
  change('typed later')
  // Below the layer, so that the expected response is made again.
  controller.set(Todo, { id: 1 }, { title: 'pushed' })
  expect({ ...controller.get(Todo, { id: 1 }) }).toEqual(shown)
})

test('an expectation is given a copy of a form with the selfsame files, and a form without entries as it is', () => {
  const controller = new Controller()
  const received: object[] = []
  const upload = new Endpoint((_form: object) => new Promise<{ id: number }>(() => {}), {
    name: 'upload',
    sideEffect: true,
    schema: Todo,
    getOptimisticResponse: optimistic((_snapshot, form: object) => {
      received.push(form)
      return undefined as never
    }),
  })
  const form = new FormData()
  form.set('file', new File(['a'], 'a.txt'))
  void controller.fetch(upload, form)
  expect(received[0]).not.toBe(form)
  expect((received[0] as FormData).get('file')).toBe(form.get('file'))
  // That of React Native.
  vi.stubGlobal('FormData', class {})
  const native = new FormData()
  void controller.fetch(upload, native)
  vi.unstubAllGlobals()
  expect(received[1]).toBe(native)
})

test('an expectation that is a function finds its endpoint as this', async () => {
  const save = new Endpoint(async () => ({ id: 1, title: 'saved' }), {
    name: 'save',
    sideEffect: true,
    schema: Todo,
    getOptimisticResponse: optimistic(function (this: unknown) {
      return { id: 1, title: (this as { name: string }).name }
    }),
  })
  const controller = new Controller()
  const saving = controller.fetch(save)
  expect(controller.get(Todo, { id: 1 })?.title).toBe('save')
  await saving
})

test('push, unshift, move and remove of an optimistic resource are shown early, like create and partialUpdate', async () => {
  const answers: ((record: object) => void)[] = []
  class Task extends Entity {
    id = 0
    title = ''
    group = 'a'
  }
  const { getList } = createResource({
    path: '/task/:id',
    schema: Task,
    optimistic,
    fetchResponse: async (_url, { method }) =>
      method === 'GET'
        ? Response.json([{ id: 1, title: 'one', group: 'a' }])
        : Response.json(await new Promise<object>((resolve) => answers.push(resolve))),
  })
  const controller = new Controller()
  const titles = () => controller.read(getList, { group: 'a' }).data?.map(({ title }) => title)
  await controller.fetch(getList, { group: 'a' })

  const pushed = controller.fetch(getList.push, { title: 'two', group: 'a' })
  expect(titles()).toEqual(['one', 'two'])
  const unshifted = controller.fetch(getList.unshift, { title: 'zero', group: 'a' })
  expect(titles()).toEqual(['zero', 'one', 'two'])
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[0]?.({ id: 2, title: 'TWO', group: 'a' })
  answers[1]?.({ id: 0, title: 'ZERO', group: 'a' })
  await Promise.all([pushed, unshifted])
  expect(titles()).toEqual(['ZERO', 'one', 'TWO'])

  const moved = controller.fetch(getList.move, { id: 1 }, { group: 'b' })
  expect(titles()).toEqual(['ZERO', 'TWO'])
  const removed = controller.fetch(getList.remove, { id: 2 }, { title: 'gone' })
  expect(titles()).toEqual(['ZERO'])
  await vi.waitFor(() => expect(answers).toHaveLength(4))
  answers[2]?.({ id: 1, title: 'one', group: 'b' })
  answers[3]?.({ id: 2, title: 'gone', group: 'a' })
  await Promise.all([moved, removed])
  expect(titles()).toEqual(['ZERO'])
})

test('an optimistic push of a resource is taken back when it fails, also through an extended list', async () => {
  const resource = createResource({
    path: '/task/:id',
    schema: Todo,
    optimistic,
    fetchResponse: async (_url, { method }) =>
      method === 'GET' ? Response.json([{ id: 1, title: 'one' }]) : new Response('', { status: 500 }),
  })
  const getList = resource.getList.extend({ dataExpiryLength: 1000 })
  const controller = new Controller()
  const titles = () => controller.read(getList).data?.map(({ title }) => title)
  await controller.fetch(getList)
  const pushed = controller.fetch(getList.unshift, { title: 'zero' })
  expect(titles()).toEqual(['zero', 'one'])
  await expect(pushed).rejects.toThrow('500')
  expect(titles()).toEqual(['one'])
})

test('an update of a record that is only known as a summary is shown early where the summary shows', async () => {
  class TaskSummary extends Entity {
    id = 0
    title = ''
    group = 'a'
    static override key = 'Task'
  }
  class Task extends TaskSummary {
    content = ''
    static override validate(record: { content?: string }) {
      return record.content === undefined ? 'content is missing' : undefined
    }
  }
  const resource = createResource({
    path: '/task/:id',
    schema: Task,
    optimistic,
    fetchResponse: async (_url, { method }) =>
      method === 'GET'
        ? Response.json([
            { id: 1, title: 'one', group: 'a' },
            { id: 2, title: 'two', group: 'a' },
          ])
        : new Response('', { status: 500 }),
  })
  const getSummaries = resource.getList.extend({ schema: new schema.Collection([TaskSummary]) })
  const controller = new Controller()
  const titles = (group: string) => controller.read(getSummaries, { group }).data?.map(({ title }) => title)
  await controller.fetch(getSummaries, { group: 'a' })

  const renamed = controller.fetch(resource.partialUpdate, { id: 1 }, { title: 'ONE' })
  expect(titles('a')).toEqual(['ONE', 'two'])
  expect(controller.get(Task, { id: 1 })).toBe(undefined)
  const moved = controller.fetch(resource.partialUpdate, { id: 2 }, { group: 'b' })
  expect(titles('a')).toEqual(['ONE'])
  await Promise.allSettled([renamed, moved])
  expect(titles('a')).toEqual(['one', 'two'])

  // What is not known at all is not made up.
  const unknown = controller.fetch(resource.partialUpdate, { id: 3 }, { title: 'three' })
  expect(controller.get(TaskSummary, { id: 3 })).toBe(undefined)
  await unknown.catch(() => {})
})
