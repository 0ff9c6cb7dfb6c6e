import { callsOf } from './calls.js'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic/optimistic.js'
import { RestEndpoint } from '../rest.js'
import type { Updates } from '../index.js'

class User extends Entity {
  id = 0
  name = 'anonymous'
  static override key = 'User'
}
class Todo extends Entity {
  id = 0
  title = 'untitled'
  tags: readonly string[] = []
  owner: User | undefined
  static override key = 'Todo'
  static override schema = { owner: User }
}

const getList = new Endpoint(async () => [{ id: 1, title: 'a', owner: { id: 1 } }, { id: 2 }], {
  name: 'getList',
  schema: [Todo],
})
const getCount = new Endpoint(async () => ({ count: 2 }), { name: 'getCount' })
const key = getList.key()

/** A mutation whose response is todo 3. */
const createWith = (update: (value: Todo, params: { title: string }) => Updates) =>
  new Endpoint(async ({ title }: { title: string }) => ({ id: 3, title }), {
    name: 'create',
    schema: Todo,
    sideEffect: true,
    update,
  })

async function openController() {
  const controller = new Controller()
  await controller.fetch(getList)
  await controller.fetch(getCount)
  return controller
}

const rawFields = (controller: Controller, name: string, pk: string) =>
  [...callsOf(controller).store.tables.get(name)!.nodes.values()].find((node) => node.pk === pk)?.fields

describe('update', () => {
  test('replaces the data of the calls that it names, with one notification for all', async () => {
    const controller = await openController()
    const tell = vi.fn()
    controller.subscribe(getList, tell)
    const [first] = controller.read(getList).data!
    const create = createWith((todo, { title }) => ({
      [key]: (list: Todo[]) => [...list, todo],
      [getCount.key()]: ({ count }: { count: number }) => ({ count: count + title.length }),
    }))
    const created = await controller.fetch(create, { title: 'new' })
    const { data, status } = controller.read(getList)
    expect(data!.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(data![0]).toBe(first)
    expect(data![2]).toBe(created)
    expect(status).toBe('Valid')
    expect(controller.read(getCount).data).toEqual({ count: 5 })
    expect(tell).toHaveBeenCalledTimes(1)
  })

  test('does nothing for a call that is not stored, or was invalidated', async () => {
    const controller = await openController()
    controller.invalidate(getCount)
    const update = vi.fn()
    await controller.fetch(
      createWith(() => ({ nothing: update, [getCount.key()]: update })),
      { title: 'new' },
    )
    expect(update).not.toHaveBeenCalled()
  })

  test('stores no class defaults of what came from the store (S24)', async () => {
    const controller = await openController()
    const create = createWith((todo) => ({
      [key]: ([first, second]: Todo[]) => [{ ...first, title: 'changed' }, second, { ...todo }],
    }))
    await controller.fetch(create, { title: 'new' })
    expect(Object.keys(rawFields(controller, 'Todo', '1')!)).toEqual(['id', 'title', 'owner'])
    expect(rawFields(controller, 'Todo', '1')).toMatchObject({ title: 'changed' })
    expect(rawFields(controller, 'Todo', '2')).toEqual({ id: 2 })
    expect(rawFields(controller, 'Todo', '3')).toEqual({ id: 3, title: 'new' })
    expect(rawFields(controller, 'User', '1')).toEqual({ id: 1 })
    expect(controller.read(getList).data![0]!.owner!.name).toBe('anonymous')
  })

  test('an instance stands for its record, also where another update changed that', async () => {
    const controller = await openController()
    const pair = new Endpoint(async () => ({ first: { id: 1 } }), { name: 'pair', schema: { first: Todo } })
    await controller.fetch(pair)
    const create = createWith(() => ({
      [key]: ([first]: Todo[]) => [{ ...first, title: 'changed' }],
      [pair.key()]: ({ first }: { first: Todo }) => ({ first }),
    }))
    await controller.fetch(create, { title: 'new' })
    expect(controller.read(pair).data!.first.title).toBe('changed')
  })

  test.each<[string, (list: Todo[]) => unknown]>([
    [
      'boom',
      () => {
        throw new Error('boom')
      },
    ],
    ['returned undefined', () => undefined],
    ['returned null', () => null],
    ['primary key', (list) => [{ ...list[0], title: 'changed' }, { title: 'without a key' }]],
    ['an array', () => 'text'],
  ])('what fails by "%s" rejects the mutation and writes nothing', async (message, update) => {
    const controller = await openController()
    const before = controller.read(getList).data
    const create = createWith(() => ({
      [getCount.key()]: () => ({ count: 9 }),
      [key]: update,
    }))
    await expect(controller.fetch(create, { title: 'new' })).rejects.toThrow(message)
    expect(controller.read(getList).data).toEqual(before)
    expect(controller.read(getCount).data).toEqual({ count: 2 })
    expect(controller.get(Todo, { id: 3 })).toBeUndefined()
  })

  test('an answer that was asked for before does not undo it', async () => {
    const controller = await openController()
    const older = controller.fetch(getCount)
    const create = createWith(() => ({ [getCount.key()]: () => ({ count: 9 }) }))
    await Promise.all([controller.fetch(create, { title: 'new' }), older])
    expect([2, 9]).toContain(controller.read(getCount).data!.count)
    let answer: (value: { count: number }) => void = () => {}
    const slow = getCount.extend({
      fetch: () => new Promise<{ count: number }>((resolve) => (answer = resolve)),
    })
    const read = controller.fetch(slow)
    await controller.fetch(create, { title: 'new' })
    answer({ count: 1 })
    await read
    expect(controller.read(getCount).data).toEqual({ count: 9 })
  })

  test('leaves no request under way that counts: readers are told so at once, and of the late answer nothing', async () => {
    const controller = await openController()
    const answers: ((value: { count: number }) => void)[] = []
    const slow = getCount.extend({
      fetch: () => new Promise<{ count: number }>((resolve) => answers.push(resolve)),
    })
    const late = controller.fetch(slow)
    const tell = vi.fn()
    controller.subscribe(getCount, tell)
    const create = createWith(() => ({ [getCount.key()]: () => ({ count: 9 }) }))
    await controller.fetch(create, { title: 'new' })
    expect(tell).toHaveBeenCalledTimes(1)
    expect(controller.read(getCount)).toMatchObject({ data: { count: 9 }, fetching: false })
    const next = controller.fetch(slow)
    expect(answers).toHaveLength(2)
    answers[0]!({ count: 1 })
    await late
    expect(controller.read(getCount)).toMatchObject({ data: { count: 9 }, fetching: true })
    answers[1]!({ count: 10 })
    await next
    expect(controller.read(getCount)).toMatchObject({ data: { count: 10 }, fetching: false })
  })

  test('ends a request that counted also where it changes nothing that is shown', async () => {
    const controller = await openController()
    const lost = getCount.extend({ fetch: () => new Promise<{ count: number }>(() => {}) })
    void controller.fetch(lost)
    const tell = vi.fn()
    controller.subscribe(getCount, tell)
    const create = createWith(() => ({ [getCount.key()]: ({ count }: { count: number }) => ({ count }) }))
    await controller.fetch(create, { title: 'new' })
    expect(controller.read(getCount)).toMatchObject({ data: { count: 2 }, fetching: false })
    expect(tell).toHaveBeenCalledTimes(1)
  })

  test('changes the list of a Collection wherever it is shown, and works without a schema and for a delete', async () => {
    const controller = new Controller()
    const lists = new schema.Collection([Todo])
    const get = new Endpoint(async () => [{ id: 1 }, { id: 2 }], { name: 'lists', schema: lists })
    await controller.fetch(get)
    const update = (value: unknown) => ({
      [get.key()]: (list: Todo[]) => list.filter(({ id }) => id !== (value as { id: number }).id),
    })
    const archive = new Endpoint(async () => ({ id: 1 }), { name: 'archive', sideEffect: true, update })
    expect(await controller.fetch(archive)).toEqual({ id: 1 })
    expect(controller.read(get).data!.map(({ id }) => id)).toEqual([2])
    const remove = new Endpoint(async () => ({ id: 2 }), {
      name: 'remove',
      schema: new schema.Delete(Todo),
      sideEffect: true,
      update,
    })
    await controller.fetch(remove)
    expect(controller.read(get).data).toEqual([])
  })

  test.each<[string, boolean, (shown: Todo[], created: Todo) => Todo[], number[]]>([
    ['in front', false, (shown, created) => [created, ...shown], [3, 1, 2]],
    ['behind', false, (shown, created) => [...shown, created], [1, 2, 3]],
    ['in front, early', true, (shown, created) => [created, ...shown], [3, 1, 2]],
  ])('is applied once to a list that two calls of a key share: %s', async (_, isEarly, update, expected) => {
    const get = () =>
      new RestEndpoint({
        path: '/todo',
        urlPrefix: '',
        schema: new schema.Collection([Todo]),
        fetch: async () => [{ id: 1 }, { id: 2 }],
      })
    const [one, other] = [get(), get()]
    const controller = new Controller()
    await controller.fetch(one)
    await controller.fetch(other)
    expect(controller.read(one).data).toBe(controller.read(other).data)
    let answer: (value: object) => void = () => {}
    const create = one.push.extend({
      fetch: () => new Promise<object>((resolve) => (answer = resolve)),
      getOptimisticResponse: isEarly ? optimistic(() => ({ id: 3 })) : undefined,
      update: (created: Todo) => ({ [one.key()]: (shown: Todo[]) => update(shown, created) }),
    })
    const creating = controller.fetch(create, { title: 'new' })
    if (isEarly) expect(controller.read(one).data!.map(({ id }) => id)).toEqual(expected)
    answer({ id: 3 })
    await creating
    expect(controller.read(one).data!.map(({ id }) => id)).toEqual(expected)
    expect(controller.read(other).data).toBe(controller.read(one).data)
  })
})
