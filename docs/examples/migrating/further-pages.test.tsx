import { Controller, schema } from '@selfsame/core'
import { GQLEndpoint, GQLEntity } from '@selfsame/core/graphql'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from '../testing-network.js'

// The sample of docs/migrating/from-apollo.md that is no part of a screen.

afterEach(() => vi.unstubAllGlobals())

class Todo extends GQLEntity {
  title = ''
  static override key = 'Todo'
}

const gql = new GQLEndpoint('https://api.example.com/graphql')

const todos = new schema.Collection([Todo], {
  argsKey: ({ cursor, ...list }: { cursor?: string }) => list,
})
const text = 'query Todos($cursor: ID) { todos(cursor: $cursor) { id title } }'
const getTodos = gql.query((variables: { cursor?: string }) => text, { todos })
const getMoreTodos = gql.query((variables: { cursor: string }) => text, {
  todos: todos.push,
})

test('a further page of a GraphQL list is appended', async () => {
  const requests = serve({
    'POST /graphql': ({
      body,
    }: {
      body: { variables: { cursor?: string } }
    }) => ({
      data: {
        todos: [
          {
            id: body.variables.cursor === undefined ? '2' : '1',
            title: 'Read',
          },
        ],
      },
    }),
  })
  const controller = new Controller()
  await controller.fetch(getTodos, {})
  const loadMore = (cursor: string) =>
    controller.fetch(getMoreTodos, { cursor })
  await loadMore('2')
  expect(controller.read(getTodos, {}).data?.todos.map(({ id }) => id)).toEqual(
    ['2', '1'],
  )
  expect(requests).toHaveLength(2)
})
