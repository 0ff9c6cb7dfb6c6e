import { describe, expect, test } from 'vitest'
import { Entity } from './entity.js'
import { schema } from '../index.js'
import { createResource } from '../rest.js'
import { Query } from './query.js'
import { queryOf } from './query-of.js'
import type { Queryable } from './query-of.js'

class Todo extends Entity {
  id = 0
}
class User extends Entity {
  id = 0
}

describe('queryOf', () => {
  test('gives a Query itself', () => {
    const query = new Query(Todo)
    expect(queryOf(query)).toBe(query)
  })

  test('gives one call for one schema, whose key depends on the content of the arguments', () => {
    expect(queryOf(Todo)).toBe(queryOf(Todo))
    const { key } = queryOf(Todo)
    expect(key({ id: 5, a: 1 })).toBe(key({ a: 1, id: 5 }))
    expect(key({ id: 5 })).not.toBe(key({ id: 6 }))
  })

  test('gives two schemas two keys for equal arguments', () => {
    const wrapped = { data: Todo }
    const schemas = [
      Todo,
      User,
      new schema.All(Todo),
      new schema.All(Todo),
      new schema.Collection([Todo]),
      new schema.Union({ todo: Todo, user: User }, 'type'),
      new Query(Todo),
      wrapped,
    ]
    const keys = schemas.map((each) => queryOf(each).key({ id: 5 }))
    expect(new Set(keys).size).toBe(schemas.length)
  })

  test('names an endpoint that was given as the schema of a Query', () => {
    const { getList } = createResource({ path: '/todo/:id', schema: Todo })
    const query = new Query(getList as unknown as typeof Todo)
    expect(() => query.key(1)).toThrow('The endpoint Todo.getList was passed instead of a schema')
  })

  test('names the class of a schema', () => {
    expect(() => queryOf(new schema.Values(Todo) as unknown as Queryable)).toThrow('This schema (Values')
  })

  test('refuses what arguments cannot name', () => {
    const refused = [[Todo], new schema.Array(Todo), new schema.Delete(Todo), Date]
    for (const each of refused) {
      expect(() => queryOf(each as unknown as Queryable)).toThrow('cannot be looked up by arguments')
    }
    // In production these are never found.
    const nested = [{ todos: [Todo] }, { todo: Todo, at: Date }, { todo: new schema.Optional([Todo]) }]
    for (const each of [...refused, ...nested]) {
      expect(() => queryOf(new Query(each as unknown as typeof Todo)).key(1)).toThrow(
        'cannot be looked up by arguments',
      )
    }
    expect(() => queryOf(5 as unknown as Queryable)).toThrow('a number is not a schema')
  })
})
