import { Endpoint, Query, schema } from '@selfsame/core'
import type { Schema } from '@selfsame/core'
import { expect } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { scenario, shown } from '../suite.js'

const todos = new schema.Collection([Todo])

/** Schemas of lists, responses, and code of a component that would throw on incomplete data. */
const lists: Readonly<
  Record<string, readonly [schema: Schema, answer: unknown, show: (data: never) => unknown]>
> = {
  'a Collection beside a literal': [
    { results: todos, nextPage: '' },
    { results: [todoFields(5)] },
    ({ results, nextPage }: { results: readonly Todo[]; nextPage: string }) => [
      results.map(({ id }) => id),
      nextPage.length,
    ],
  ],
  'a Collection in an object': [
    { results: todos },
    { results: [todoFields(5)] },
    ({ results }: { results: readonly Todo[] }) => results.length,
  ],
  'a Collection nested twice': [
    { data: { results: todos } },
    { data: { results: [todoFields(5)] } },
    ({ data }: { data: { results: readonly Todo[] } }) => data.results.length,
  ],
  All: [new schema.All(Todo), [todoFields(5)], (all: readonly Todo[]) => all.length],
  'All in an object': [
    { todos: new schema.All(Todo) },
    { todos: [todoFields(5)] },
    ({ todos: all }: { todos: readonly Todo[] }) => all.length,
  ],
  'a Query of a Collection': [
    new Query(todos, (list: readonly Todo[]) => list.filter(({ completed }) => !completed)),
    [todoFields(5), todoFields(6, { completed: true })],
    (open: readonly Todo[]) => open.length,
  ],
}

for (const [name, [listSchema, answer, show]] of Object.entries(lists)) {
  scenario.onReact18(
    `3/not loaded/${name}`,
    'waits for its own answer, whatever records are known',
    async (stage) => {
      const { api, controller, mount, server, settle } = stage
      server.route('list', answer)
      server.hold('list')
      const endpoint = new Endpoint(() => server.call('list'), {
        name: 'list',
        schema: listSchema as typeof Todo,
      })
      const reader = await mount('useSuspense', endpoint)
      const beside = await mount('useDLE', endpoint)
      const cached = await mount('useCache', endpoint)
      await controller.fetch(api.todo.get, { id: 6 })
      await settle()
      expect(reader.current()).toEqual({ state: 'fallback' })
      expect(shown(beside)).toMatchObject({ data: undefined, loading: true })
      expect(shown(cached)).toBe(undefined)
      server.release()
      await settle()
      await settle()
      const data = shown(reader)
      expect(() => show(data as never)).not.toThrow()
      expect(shown(cached)).toBe(data)
      expect(shown(beside)).toMatchObject({ data, loading: false })
      expect(server.requests).toEqual(['list', 'GET /todo/6'])
    },
  )
}

scenario.onReact18(
  '3/not loaded/error',
  'a first load that fails is an error, and no empty list',
  async (stage) => {
    const { mount, server, settle } = stage
    const endpoint = new Endpoint(() => server.call('list'), {
      name: 'list',
      schema: { results: todos, nextPage: '' },
    })
    server.route('list', () => Promise.reject(new Error('unreachable')))
    const beside = await mount('useDLE', endpoint)
    await settle()
    expect(shown(beside)).toMatchObject({ data: undefined, loading: false, error: expect.any(Error) })
    expect(server.requests).toEqual(['list'])
  },
)

scenario.onReact18(
  '3/not loaded/useQuery',
  'useQuery of All is undefined until there was an answer',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('GET /todo', [])
    const reader = await mount('useQuery', new schema.All(Todo))
    await settle()
    expect(shown(reader)).toBe(undefined)
    await controller.fetch(api.todo.getList)
    await settle()
    expect(shown(reader)).toEqual([])
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject([{ id: 5 }])
    controller.resetAll()
    await settle()
    expect(shown(reader)).toBe(undefined)
    expect(server.requests).toEqual(['GET /todo', 'GET /todo/5'])
  },
)
