import { callsOf } from '../controller/calls.js'
import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import type { Schema } from '../schema/schema.js'

class Person extends Entity {
  id = 0
  name = ''
  note: string | undefined
  friend: Person | undefined
  friends: Person[] = []
  since: Date | undefined
  static override key = 'Person'
  static override schema = { since: Date } as Record<string, Schema>
}
Person.schema = { ...Person.schema, friend: Person, friends: [Person] }

/** Responds with newly parsed objects each time, which the store may keep. */
function answering<S extends Schema>(of: S) {
  const answers: string[] = []
  const endpoint = new Endpoint(() => Promise.resolve(JSON.parse(answers.shift() ?? 'null') as unknown), {
    name: 'answering',
    schema: of,
    ownsPayload: true,
  })
  const controller = new Controller()
  const receive = (answer: unknown) => {
    answers.push(typeof answer === 'string' ? answer : JSON.stringify(answer))
    return controller.fetch(endpoint)
  }
  return { controller, receive }
}

describe('a record that is received again', () => {
  test('and stands in itself is merged as at first: what it nests comes before it', async () => {
    const { receive } = answering(Person)
    const answer = (count: number) => ({
      id: 1,
      name: `outer ${count}`,
      friend: { id: 1, name: `inner ${count}`, note: `note ${count}` },
    })
    for (const count of [1, 2, 2]) {
      const person = await receive(answer(count))
      expect(person).toMatchObject({ id: 1, name: `outer ${count}`, note: `note ${count}` })
      expect(person.friend).toBe(person)
    }
  })

  test('is merged in the order of the answer each time, whatever the order of its schema (S5, G2)', async () => {
    const { receive } = answering(Person)
    const answer = { id: 1, friends: [{ id: 2, name: 'in the list' }], friend: { id: 2, name: 'alone' } }
    const first = await receive(answer)
    expect(first.friend).toMatchObject({ name: 'alone' })
    expect(await receive(answer)).toBe(first)
  })

  test('with a field called __proto__ reaches no prototype (G7)', async () => {
    const { receive } = answering([Person])
    const [first] = await receive([{ id: 1, name: 'Ann' }])
    const [again] = await receive('[{"id":1,"__proto__":{"note":"hostile"},"name":"Ann"}]')
    expect(again).toBe(first)
    const [changed] = await receive('[{"id":1,"__proto__":{"note":"hostile"},"name":"Bea"}]')
    expect(changed).toBeInstanceOf(Person)
    expect(changed).toMatchObject({ name: 'Bea', note: undefined })
  })

  test('is told apart from the one that stood in its place, by number and by text (S2)', async () => {
    const { receive } = answering([Person])
    const [ann, bea] = await receive([
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bea' },
    ])
    expect(await receive([{ id: 2, name: 'Bea' }, { id: 1 }])).toEqual([bea, ann])
    const [byText] = await receive([{ id: '2', name: 'Bea' }])
    expect(byText).toEqual({ ...bea, id: '2' })
  })

  test('has its serialized fields judged where they differ (S9)', async () => {
    const { controller, receive } = answering(Person)
    const first = await receive({ id: 1, name: 'Ann', since: '2024-05-17' })
    expect(await receive({ id: 1, name: 'Ann', since: '2024-05-17' })).toBe(first)
    await expect(receive({ id: 1, name: 'Bea', since: 'never' })).rejects.toThrow('since')
    expect(controller.get(Person, { id: 1 })).toBe(first)
    expect(await receive({ id: 1, since: '2025-01-01' })).toMatchObject({ since: new Date('2025-01-01') })
  })

  test('keeps its lists while their members are the same, also those of several types', async () => {
    class Team extends Entity {
      id = 0
      members: unknown[] = []
      static override key = 'Team'
      static override schema: Record<string, Schema> = {
        members: [new schema.Union({ person: Person, team: Team }, 'type')],
      }
    }
    const { receive } = answering([Team])
    const answer = (name: string, ...more: object[]) => [
      { id: 1, members: [{ type: 'person', id: 1, name }, { type: 'team', id: 2 }, ...more] },
    ]
    const first = await receive(answer('Ann'))
    expect(await receive(answer('Ann'))).toBe(first)
    const renamed = await receive(answer('Bea'))
    expect(renamed[0]!.members[1]).toBe(first[0]!.members[1])
    const longer = await receive(answer('Bea', { type: 'person', id: 3 }))
    expect(longer[0]!.members).toHaveLength(3)
    expect(longer[0]!.members.slice(0, 2)).toEqual(renamed[0]!.members)
  })
})

describe('an answer that fails puts back (G5)', () => {
  test('what it wrote over, however often', async () => {
    const { controller, receive } = answering([Person])
    const before = await receive([{ id: 1, name: 'Ann', friend: { id: 2, name: 'Bea' } }, { id: 3 }])
    const stamps = [1, 2, 3].map(
      (id) => callsOf(controller).store.reference(planOfPerson(controller), `${id}`).stamp,
    )
    const twice = [
      { id: 1, name: 'x', friend: { id: 2, name: 'x', friend: { id: 4, name: 'new' } } },
      { id: 1, name: 'y', friends: [{ id: 2, name: 'y' }, { id: 3 }] },
    ]
    await expect(receive([...twice, { name: 'without a key' }])).rejects.toThrow('no primary key')
    expect(before.map(({ id }) => controller.get(Person, { id }))).toEqual(before)
    expect(controller.get(Person, { id: 1 })).toBe(before[0])
    expect(controller.get(Person, { id: 4 })).toBe(undefined)
    expect(controller.get(new Query(new schema.All(Person)))).toHaveLength(3)
    expect(
      [1, 2, 3].map((id) => callsOf(controller).store.reference(planOfPerson(controller), `${id}`).stamp),
    ).toEqual(stamps)
  })

  test('that a record was deleted', async () => {
    const { controller, receive } = answering([Person])
    await receive([{ id: 1, name: 'Ann' }])
    const remove = new Endpoint(() => Promise.resolve({ id: 1 }), {
      name: 'remove',
      schema: new schema.Delete(Person),
      sideEffect: true,
    })
    await controller.fetch(remove)
    await expect(receive([{ id: 1, name: 'Ann' }, {}])).rejects.toThrow('no primary key')
    expect(controller.get(Person, { id: 1 })).toBe(undefined)
  })
})

function planOfPerson(controller: Controller) {
  const { store } = callsOf(controller)
  return store.tables.get('Person')!.plans[0]!
}

test('a stored list is not changed in place, and what is shown stays the same without what was deleted', async () => {
  const { controller, receive } = answering([Person])
  const first = await receive([{ id: 1 }, { id: 2 }])
  const endpoint = callsOf(controller).store.results.values().next().value![0]!
  const stored = endpoint.result as readonly unknown[]
  const copy = [...stored]
  controller.set(new schema.Delete(Person), { id: 1 }, {})
  const shown = endpoint.snapshot().data
  expect(shown).toEqual([(first as Person[])[1]])
  expect(await receive([{ id: 2 }])).toBe(shown)
  expect(stored).toEqual(copy)
  expect(endpoint.result).toHaveLength(1)
})

test('a Query that returns records in groups returns the same object until one of them changes', () => {
  const controller = new Controller()
  const groups = new Query(new schema.All(Person), (people) => ({
    count: people.length,
    named: { a: people.filter(({ name }) => name === 'a'), b: people.filter(({ name }) => name === 'b') },
  }))
  const nested = new Query(groups, ({ named }) => [named.a])
  for (const id of [1, 2, 3]) controller.set(Person, { id }, { name: ['a', 'b', 'c'][id - 1]! })
  const shown = [controller.get(groups), controller.get(nested)]
  controller.set(Person, { id: 3 }, { name: 'd' })
  expect(controller.get(groups)).toBe(shown[0])
  expect(controller.get(nested)).toBe(shown[1])
  controller.set(Person, { id: 1 }, { note: 'new' })
  expect(controller.get(groups)).not.toBe(shown[0])
  expect(controller.get(nested)?.[0]?.[0]?.note).toBe('new')
})

test('a Query that returns a cycle is computed', () => {
  const controller = new Controller()
  const cyclic = new Query(new schema.All(Person), (people) => {
    const value: { people: readonly Person[]; self?: unknown } = { people }
    value.self = value
    return value
  })
  controller.set(Person, { id: 1 }, {})
  const before = controller.get(cyclic)
  controller.set(Person, { id: 2 }, {})
  expect(controller.get(cyclic)).not.toBe(before)
  expect(controller.get(cyclic)?.people).toHaveLength(2)
})
