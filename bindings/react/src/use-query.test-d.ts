import { Endpoint, Entity, Query, schema } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { useQuery } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}
class Link extends Entity {
  url = ''
}
const todo = createResource({ path: '/todo/:id', schema: Todo })
const all = new schema.All(Todo)
const either = new schema.Union({ todo: Todo, link: Link }, 'type')
const count = new Query(all, (todos, { userId }: { userId: number }) => todos.length + userId)
const settings = new Endpoint(async () => 5, { name: 'settings' })
const condition = Math.random() > 0.5

test('gives what the queryable reads, or undefined', () => {
  expectTypeOf(useQuery(count, { userId: 1 })).toEqualTypeOf<number | undefined>()
  expectTypeOf(useQuery(new Query(Todo), { id: 5 })).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useQuery(Todo, { id: 5 })).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useQuery(Todo, '5')).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useQuery(all)).toEqualTypeOf<Todo[] | undefined>()
  expectTypeOf(useQuery(todo.getList.schema, { userId: 1 })).toEqualTypeOf<Todo[] | undefined>()
  expectTypeOf(useQuery(either, { id: 5, type: 'link' })).toEqualTypeOf<Todo | Link | undefined>()
  expectTypeOf(useQuery({ data: Todo }, { id: 5 })).toEqualTypeOf<{ data: Todo } | undefined>()
})

test('takes null for its arguments', () => {
  expectTypeOf(useQuery(count, null)).toEqualTypeOf<number | undefined>()
  expectTypeOf(useQuery(count, condition ? { userId: 1 } : null)).toEqualTypeOf<number | undefined>()
  expectTypeOf(useQuery(Todo, condition ? { id: 5 } : null)).toEqualTypeOf<Todo | undefined>()
  expectTypeOf(useQuery(all, null)).toEqualTypeOf<Todo[] | undefined>()
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('wrong calls are refused', () => {
  // @ts-expect-error userId is missing
  useQuery(count, {})
  // @ts-expect-error the Query takes an argument
  useQuery(count)
  // @ts-expect-error userId is a number
  useQuery(count, { userId: 'x' })
  // @ts-expect-error a Todo has no field of that name
  useQuery(Todo, { nothing: 5 })
  // @ts-expect-error an Entity needs arguments that identify the record
  useQuery(Todo)
  // @ts-expect-error undefined is no way to say "nothing"
  useQuery(Todo, undefined)
  // @ts-expect-error arguments cannot name a list without an identity
  useQuery([Todo], { userId: 1 })
  // @ts-expect-error arguments cannot name a list without an identity
  useQuery(new schema.Array(Todo), { userId: 1 })
  // @ts-expect-error nor can they in a Query
  useQuery(new Query([Todo]), { userId: 1 })
  // @ts-expect-error a deletion has no data
  useQuery(new schema.Delete(Todo), { id: 5 })
  // @ts-expect-error an endpoint is read by useCache
  useQuery(todo.get, { id: 5 })
  // @ts-expect-error an endpoint is read by useCache
  useQuery(settings)
})
