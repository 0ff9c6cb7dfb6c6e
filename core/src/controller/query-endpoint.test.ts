import { describe, expect, test, vi } from 'vitest'
import { Controller, Entity, Query, schema } from '../index.js'
import { RestEndpoint, createResource } from '../rest.js'
import { dehydrate, hydrate } from '../hydration.js'
import { TestClock } from '../testing.js'
import { optimistic } from '../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

const answer = [
  { id: 1, title: 'a', completed: false },
  { id: 2, title: 'b', completed: true },
]

/** Endpoints of todos, a Query of their list, and the count of its computations. */
function createApi() {
  const requests: string[] = []
  class Scripted<const Options extends object> extends RestEndpoint<Options & { path: string }> {
    override async fetchResponse(url: string, init: RequestInit) {
      requests.push(`${init.method} ${url}`)
      return Response.json(init.method === 'GET' ? answer : { id: 3, ...JSON.parse(init.body as string) })
    }
  }
  const todo = createResource({ path: '/todo/:id', schema: Todo, Endpoint: Scripted as typeof RestEndpoint })
  const process = vi.fn((todos: Todo[]) => todos.filter(({ completed }) => !completed))
  const getOpen = todo.getList.extend({ schema: new Query(todo.getList.schema, process) })
  return { todo, getOpen, process, requests }
}

const idsOf = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id)

describe('a Query as the schema of an endpoint', () => {
  test('shows what it makes of the answer, which its own schema takes apart', async () => {
    const controller = new Controller()
    const { todo, getOpen, process, requests } = createApi()
    expect(controller.read(getOpen)).toMatchObject({ status: 'Invalid', data: undefined })
    expect(process).not.toHaveBeenCalled()
    const open = await controller.fetch(getOpen)
    expect(idsOf(open)).toEqual([1])
    expect(controller.read(getOpen)).toMatchObject({ status: 'Valid', data: open })
    expect(controller.get(Todo, { id: 2 })).toMatchObject({ title: 'b' })
    expect(idsOf(controller.read(todo.getList).data)).toEqual([1, 2])
    expect([requests, process.mock.calls.length]).toEqual([['GET /todo'], 1])
  })

  test('is computed again when what it read changes, and keeps its value otherwise', async () => {
    const controller = new Controller()
    const { todo, getOpen, process } = createApi()
    const open = await controller.fetch(getOpen)
    controller.set(Todo, { id: 1 }, { title: 'a' })
    expect(controller.read(getOpen).data).toBe(open)
    expect(process).toHaveBeenCalledTimes(1)
    controller.set(Todo, { id: 1 }, { completed: true })
    controller.set(Todo, { id: 2 }, { completed: false })
    expect(idsOf(controller.read(getOpen).data)).toEqual([2])
    await controller.fetch(todo.create, { title: 'new' })
    expect(idsOf(controller.read(getOpen).data)).toEqual([2, 3])
  })

  test('is given the arguments of the call', async () => {
    const { todo } = createApi()
    const getOne = todo.getList.extend({
      schema: new Query([Todo], (todos, { index }: { index: number }) => todos[index]),
    })
    const controller = new Controller()
    expect(await controller.fetch(getOne, { index: 1 })).toMatchObject({ title: 'b' })
    expect(await controller.fetch(getOne, { index: 5 })).toBe(undefined)
    expect(controller.read(getOne, { index: 5 })).toMatchObject({ status: 'Valid', data: undefined })
  })

  test('is Invalid after its record was deleted, and Valid where it makes nothing of one', async () => {
    const controller = new Controller()
    const { todo } = createApi()
    const getTitle = todo.get.extend({
      process: () => answer[0],
      schema: new Query(Todo, ({ title }) => (title === 'a' ? undefined : title)),
    })
    expect(await controller.fetch(getTitle, { id: 1 })).toBe(undefined)
    expect(controller.read(getTitle, { id: 1 }).status).toBe('Valid')
    controller.set(Todo, { id: 1 }, { title: 'c' })
    expect(controller.read(getTitle, { id: 1 }).data).toBe('c')
    controller.set(new schema.Delete(Todo), { id: 1 }, {})
    expect(controller.read(getTitle, { id: 1 }).status).toBe('Invalid')
  })

  test('set has the form of its own schema', async () => {
    const controller = new Controller()
    const { getOpen } = createApi()
    await controller.fetch(getOpen)
    controller.set(getOpen.schema, {}, (todos: readonly Todo[]) => [...todos].reverse())
    controller.set(Todo, { id: 2 }, { completed: false })
    expect(idsOf(controller.read(getOpen).data)).toEqual([2, 1])
    controller.set(getOpen.schema, {}, [{ id: 9 }])
    expect(idsOf(controller.read(getOpen).data)).toEqual([9])
  })

  test.each([
    ['an update', false],
    ['an update that is shown early', true],
  ])('%s has the form of its own schema', async (_name, isEarly) => {
    const controller = new Controller()
    const { todo, getOpen } = createApi()
    await controller.fetch(getOpen)
    const rename = todo.create.extend({
      schema: Todo,
      ...(isEarly && { getOptimisticResponse: optimistic(() => ({ id: 3, title: 'new' })) }),
      update: (created: Todo) => ({ [getOpen.key()]: (todos: readonly Todo[]) => [created, ...todos] }),
    })
    const answered = controller.fetch(rename, { title: 'new' })
    if (isEarly) expect(idsOf(controller.read(getOpen).data)).toEqual([3, 1])
    await answered
    expect(idsOf(controller.read(getOpen).data)).toEqual([3, 1])
    controller.set(Todo, { id: 2 }, { completed: false })
    expect(idsOf(controller.read(getOpen).data)).toEqual([3, 1, 2])
  })

  test('keeps its answer on the way to another Controller, where it is not computed before it is read', async () => {
    const server = new Controller()
    const { getOpen, process } = createApi()
    await server.fetch(getOpen)
    const page = new Controller()
    hydrate(page, JSON.parse(JSON.stringify(dehydrate(server))))
    expect(process).toHaveBeenCalledTimes(1)
    expect(idsOf(page.read(getOpen).data)).toEqual([1])
    expect(process).toHaveBeenCalledTimes(2)
  })

  test('has the age of its answer', async () => {
    const clock = new TestClock()
    const controller = new Controller({ clock })
    const { getOpen } = createApi()
    await controller.fetch(getOpen)
    clock.advance(60_000)
    expect(controller.read(getOpen)).toMatchObject({ status: 'Stale', data: [{ id: 1 }] })
  })
})
