import { describe, expect, test, vi } from 'vitest'
import { Controller, Entity } from '../index.js'
import type { StreamSink } from '../index.js'
import { connect } from '../live.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  static override key = 'Todo'
}

/** A list on a live connection, and a create that is shown at once and that a test answers. */
async function setUp(body: Partial<Todo>) {
  let answer = (_response: Response) => {}
  let sink: StreamSink | undefined
  const todos = createResource({
    path: '/todo/:id',
    schema: Todo,
    optimistic,
    fetchResponse: () => new Promise<Response>((resolve) => (answer = resolve)),
  })
  const getList = todos.getList.extend({
    stream: (given: StreamSink) => {
      sink = given
      return () => {}
    },
  })
  const controller = new Controller()
  controller.setResponse(getList, [{ id: 1, title: 'old' }])
  const disconnect = connect(controller, getList)
  const creating = controller.fetch(todos.create, body as never)
  await Promise.resolve()
  const made = { id: body.id ?? 7, title: 'new' }
  const arrivals: Readonly<Record<string, () => void>> = {
    'a message of the list': () => sink?.receive([{ id: 1, title: 'old' }, made]),
    'a message that pushes the record': () => controller.setResponse(getList.push, made as never, made),
    'a response set for the list': () => controller.setResponse(getList, [{ id: 1, title: 'old' }, made]),
  }
  return {
    arrivals,
    sink: () => sink as StreamSink & { owner: Controller },
    titles: () => controller.read(getList).data?.map(({ title }) => title),
    ids: () => controller.read(getList).data?.map(({ id }) => id),
    async answered() {
      answer(Response.json(made))
      await creating
    },
    async refused() {
      answer(new Response(null, { status: 409 }))
      await creating.catch(() => {})
    },
    disconnect,
  }
}

const arrivals = ['a message of the list', 'a message that pushes the record', 'a response set for the list']

// Nothing in the record says that it is the one that is expected: another client may have made it.
test.each(arrivals)(
  'a created record that %s brings before the answer is shown beside it, then once',
  async (name) => {
    const { arrivals: of, titles, ids, answered, disconnect } = await setUp({ title: 'new' })
    of[name]?.()
    expect(titles()?.toSorted()).toEqual(['new', 'new', 'old'])
    await answered()
    expect(ids()?.toSorted()).toEqual([1, 7])
    disconnect()
  },
)

test.each(arrivals)(
  'if %s brings what another client made, both stay, and a refused create goes',
  async (name) => {
    const { arrivals: of, ids, refused, disconnect } = await setUp({ title: 'new' })
    of[name]?.()
    expect(ids()).toHaveLength(3)
    await refused()
    expect(ids()?.toSorted()).toEqual([1, 7])
    disconnect()
  },
)

test.each(arrivals)('with a key of the application, it is shown once, though %s brings it', async (name) => {
  const { arrivals: of, ids, titles, answered, disconnect } = await setUp({ id: 'made-here', title: 'new' })
  expect(titles()).toEqual(['old', 'new'])
  of[name]?.()
  expect(ids()).toEqual([1, 'made-here'])
  await answered()
  expect(ids()).toEqual([1, 'made-here'])
  disconnect()
})

describe('a message that is stored by a schema, while a create is under way,', () => {
  const { getList } = createResource({ path: '/todo/:id', schema: Todo, optimistic })
  const { push } = getList.schema

  test('waits for the answer if it brings a record that nobody knew: a row is never shown twice', async () => {
    const { sink, ids, answered, disconnect } = await setUp({ title: 'new' })
    const changed = vi.fn()
    const stop = sink().owner.subscribe(getList, changed)
    sink().set(push, {}, { id: 7, title: 'new' })
    sink().set(push, {}, { id: 8, title: 'of another client' })
    sink().set(Todo, {}, { id: 8, title: 'changed by it' })
    expect(changed).not.toHaveBeenCalled()
    await answered()
    expect(ids()).toEqual([1, 7, 8])
    expect(sink().owner.get(Todo, { id: 8 })?.title).toBe('changed by it')
    stop()
    disconnect()
  })

  test('is stored at once if it changes a record that is known', async () => {
    const { sink, titles, answered, disconnect } = await setUp({ title: 'new' })
    sink().set(push, {}, { id: 1, title: 'changed' })
    expect(titles()?.[0]).toBe('changed')
    await answered()
    disconnect()
  })

  test('is stored after a refusal', async () => {
    const { sink, ids, refused, disconnect } = await setUp({ title: 'new' })
    sink().set(push, {}, { id: 8, title: 'of another client' })
    await refused()
    expect(ids()).toEqual([1, 8])
    disconnect()
  })

  test('is stored after two seconds without an answer', async () => {
    vi.useFakeTimers()
    const { sink, ids, answered, disconnect } = await setUp({ title: 'new' })
    sink().set(push, {}, { id: 8, title: 'of another client' })
    await vi.advanceTimersByTimeAsync(1999)
    expect(ids()).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(ids()).toHaveLength(3)
    vi.useRealTimers()
    await answered()
    expect(ids()?.toSorted()).toEqual([1, 7, 8])
    disconnect()
  })

  test('is dropped by a reset', async () => {
    const { sink, answered, disconnect } = await setUp({ title: 'new' })
    const { owner } = sink()
    sink().set(push, {}, { id: 8, title: 'of another client' })
    owner.resetAll()
    await answered().catch(() => {})
    expect(owner.get(Todo, { id: 8 })).toBeUndefined()
    disconnect()
  })
})
