import { expect, test, vi } from 'vitest'
import { Controller, Entity } from '../index.js'
import { fetchTogether, optimistic } from '../optimistic.js'
import type { FetchOfSeveral } from '../optimistic.js'
import { createResource } from '../rest.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

function setUp(answer: (line: string) => Response = () => Response.json({ id: 5 })) {
  const requests: string[] = []
  const todos = createResource({
    path: '/todo/:id',
    schema: Todo,
    optimistic,
    fetchResponse: async (url, { method = 'GET' }) => {
      requests.push(`${method} ${url}`)
      return answer(`${method} ${url}`)
    },
  })
  return { controller: new Controller(), requests, todos }
}

test.each([
  [
    'an endpoint that reads',
    'which only reads',
    ({ todos }: ReturnType<typeof setUp>) =>
      ((fetch: (endpoint: unknown) => Promise<unknown>) => [fetch(todos.get)]) as never,
  ],
  ['no array', 'returned no array', () => (() => Promise.resolve([])) as never],
])('%s is refused, and nothing is sent', async (_, text, make) => {
  const stage = setUp()
  await expect(fetchTogether(stage.controller, make(stage))).rejects.toThrow(text)
  expect(stage.requests).toEqual([])
})

test('a fetch after the function has returned is refused', async () => {
  const { controller, requests, todos } = setUp()
  let late: FetchOfSeveral | undefined
  await fetchTogether(controller, (fetch) => {
    late = fetch
    return [fetch(todos.create, { title: 'a' })]
  })
  expect(() => late?.(todos.create, { title: 'b' })).toThrow('after its function had returned')
  expect(requests).toEqual(['POST /todo'])
})

test('an empty list resolves, and a disposed Controller sends nothing', async () => {
  const { controller, requests, todos } = setUp()
  expect(await fetchTogether(controller, () => [])).toEqual([])
  controller.dispose()
  const making = fetchTogether(controller, (fetch) => [fetch(todos.create, { title: 'a' })])
  await expect(making).rejects.toMatchObject({ code: 'controller-disposed' })
  expect(requests).toEqual([])
})

test('no promise that nobody handles is left, whatever fails', async () => {
  const { controller, todos } = setUp(() => Response.json({}, { status: 500 }))
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const failing = fetchTogether(controller, (fetch) => {
    void fetch(todos.create, { title: 'a' })
    void fetch(todos.create, { title: 'b' })
    return []
  })
  await expect(failing).rejects.toMatchObject({ status: 500 })
  const throwing = fetchTogether(controller, (fetch) => {
    void fetch(todos.create, { title: 'a' })
    throw new Error('No')
  })
  await expect(throwing).rejects.toThrow('No')
  await new Promise((resolve) => setTimeout(resolve, 5))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
