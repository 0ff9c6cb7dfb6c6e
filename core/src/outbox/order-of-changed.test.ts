import { schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { expect, test } from 'vitest'
import { createBrowser, settle, Todo } from './testing-stage.js'

/** A todo whose title was refused, and a later change of it that waits. */
async function refusedAndLater() {
  const browser = createBrowser()
  const { open, network, server, todos } = browser
  const tab = open()
  const { controller, box } = tab
  const shown = () => controller.get(Todo, { id: 1 })?.title
  await controller.fetch(todos.get, { id: 1 })
  server.fault = ({ body }) => ((body as { title?: string } | undefined)?.title === 'first' ? 422 : undefined)
  await controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'first' }).catch(() => {})
  await settle()
  server.fault = () => undefined
  network.set(false)
  const later = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'later' })
  later.catch(() => {})
  await box.written()
  return { ...browser, ...tab, later, shown }
}

test('a retried mutation is shown below what was made after it and waits, and so is its answer', async () => {
  const { box, network, server, later, shown } = await refusedAndLater()
  await box.retry(box.mutations[0]!.id)
  expect(shown()).toBe('later')
  // The answer of the first is there before the second is sent.
  server.fault = ({ body }) => ((body as { title: string }).title === 'later' ? 'down' : undefined)
  network.set(true)
  await settle()
  expect(server.todos.get(1)?.title).toBe('first')
  expect(shown()).toBe('later')
  server.fault = () => undefined
  await box.retry()
  expect(await later).toMatchObject({ title: 'later' })
  expect([shown(), server.todos.get(1)?.title]).toEqual(['later', 'later'])
})

test('an edited mutation too, refused or waiting', async () => {
  const { controller, box, network, server, todos, shown } = await refusedAndLater()
  const last = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'last' })
  await box.written()
  await box.edit(box.mutations[0]!.id, { id: 1 }, { title: 'edited' })
  expect(shown()).toBe('last')
  await box.edit(box.mutations[1]!.id, { id: 1 }, { title: 'edited too' })
  expect(shown()).toBe('last')
  network.set(true)
  expect(await last).toMatchObject({ title: 'last' })
  expect(server.applied.map(({ body }) => (body as { title: string }).title)).toEqual([
    'edited',
    'edited too',
    'last',
  ])
  expect([shown(), server.todos.get(1)?.title]).toEqual(['last', 'last'])
})

test('in another tab too', async () => {
  const { open, box, network, server, todos } = await refusedAndLater()
  const other = open()
  await other.controller.fetch(todos.get, { id: 1 }).catch(() => {})
  await other.box.ready
  await settle()
  await box.retry(box.mutations[0]!.id)
  await settle()
  network.set(true)
  await settle()
  expect(server.todos.get(1)?.title).toBe('later')
  expect(other.controller.get(Todo, { id: 1 })?.title).toBe('later')
})

test('what has its answer stays below a retried mutation, and what touches another record is not touched', async () => {
  const { controller, box, network, server, later, todos, shown } = await refusedAndLater()
  const other = controller.fetch(todos.partialUpdate, { id: 2 }, { title: 'other' })
  other.catch(() => {})
  const failed = box.mutations[0]!.id
  network.set(true)
  await later
  await other
  network.set(false)
  await box.retry(failed)
  expect(shown()).toBe('first')
  network.set(true)
  await settle()
  expect([shown(), server.todos.get(1)?.title]).toEqual(['first', 'first'])
})

test('what waits behind an edited mutation is computed from it, keeps its promise, and can be aborted', async () => {
  const { open, network, server, todos } = createBrowser()
  const { controller, box } = open()
  await controller.fetch(todos.get, { id: 1 })
  network.set(false)
  const more = todos.partialUpdate.extend({
    name: 'Todo.more',
    outbox: true,
    getOptimisticResponse: optimistic(({ get }, { id }: { id: number }) => ({
      id,
      title: `${get(Todo, { id })?.title ?? ''}!`,
    })),
  })
  const shown: unknown[] = []
  const first = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'first' })
  const second = controller.fetch(more, { id: 1 }, { title: 'second' })
  const abort = new AbortController()
  const third = controller.fetch(more.extend({ signal: abort.signal }), { id: 1 }, { title: 'third' })
  await box.written()
  controller.subscribe(todos.get, { id: 1 }, ({ data }) => shown.push(data?.title))
  await Promise.all([
    box.edit(box.mutations[0]!.id, { id: 1 }, { title: 'edited' }),
    expect(first).rejects.toMatchObject({ code: 'outbox-dropped' }),
  ])
  expect(controller.get(Todo, { id: 1 })?.title).toBe('edited!!')
  // No reader sees it with one of them only, or twice.
  expect(new Set(shown)).toEqual(new Set(['edited!!']))
  abort.abort(new Error('Enough'))
  await expect(third).rejects.toThrow('Enough')
  await settle()
  expect(controller.get(Todo, { id: 1 })?.title).toBe('edited!')
  network.set(true)
  expect(await second).toMatchObject({ title: 'second' })
  expect(server.applied.map(({ body }) => (body as { title: string }).title)).toEqual(['edited', 'second'])
})

test('the edits of a created record stay on top of the create when it is edited, and reach the server after it', async () => {
  const { open, network, server, todos } = createBrowser()
  const { controller, box } = open()
  network.set(false)
  const creating = controller.fetch(todos.create, { title: 'New' })
  const all = new schema.All(Todo)
  const temporary = controller.get(all)!.at(-1)!.id
  const editing = controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'Newer' })
  creating.catch(() => {})
  await box.written()
  await box.edit(box.mutations[0]!.id, { title: 'Better' })
  expect(controller.get(all)).toMatchObject([{ id: temporary, title: 'Newer' }])
  network.set(true)
  expect(await editing).toMatchObject({ id: 101, title: 'Newer' })
  expect(controller.get(all)).toMatchObject([{ id: 101, title: 'Newer' }])
  expect(server.applied.map(({ name }) => name)).toEqual(['POST /todo', 'PATCH /todo/101'])
})
