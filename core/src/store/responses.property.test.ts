import { callsOf } from '../controller/calls.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { toKeys } from '../normalize/reference.js'

// Records of every kind of relation: nested, in lists, in maps, one of several, lazy, serialized.

class Tag extends Entity {
  id = 0
  label = ''
  static override key = 'Tag'
}
class Person extends Entity {
  id = 0
  name = ''
  best: Person | undefined
  tags: Tag[] = []
  static override key = 'Person'
}
const thing = new schema.Union({ person: Person, tag: Tag }, 'type')
Person.schema = {
  best: Person,
  tags: [Tag],
  byName: new schema.Values(Tag),
  thing,
  later: new schema.Lazy(() => [Tag]),
  since: Date,
  inner: { tag: Tag, note: '' },
}

const id = fc.integer({ min: 0, max: 5 })
const tag = fc.record({ id, label: fc.constantFrom('a', 'b', '') }, { requiredKeys: ['id'] })
const { person } = fc.letrec<{ person: Record<string, unknown> }>((tie) => ({
  person: fc.record(
    {
      id,
      name: fc.constantFrom('x', 'y', '__proto__', 'constructor'),
      best: fc.option(fc.oneof({ depthSize: 'small' }, id, tie('person')), { nil: null }),
      tags: fc.array(fc.oneof(id, tag), { maxLength: 3 }),
      byName: fc.dictionary(fc.constantFrom('a', 'constructor', '1'), tag, { maxKeys: 2 }),
      thing: fc.oneof(
        tag.map((value) => Object.assign({ type: 'tag' }, value)),
        fc.constant({ type: 'toString', id: 1 }),
      ),
      later: fc.array(id, { maxLength: 2 }),
      since: fc.constantFrom('2026-01-01', '2026-02-02'),
      inner: fc.record({ tag }),
      plain: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['id'] },
  ),
}))
const list = fc.array(person, { maxLength: 4 })

function ask(controller: Controller, name: string, payload: unknown) {
  const endpoint = new Endpoint(() => Promise.resolve(structuredClone(payload)), { name, schema: [Person] })
  return { endpoint, fetch: () => controller.fetch(endpoint) }
}

/** The records of a store as plain data, without stamps and order, which depend on the order of receipt. */
function tablesOf(controller: Controller): Record<string, unknown> {
  const tables: Record<string, unknown> = {}
  for (const [key, { nodes }] of callsOf(controller).store.tables) {
    for (const [pk, node] of nodes)
      if (node.fields !== undefined) tables[`${key} ${pk}`] = toKeys(node.fields)
  }
  return tables
}

test('receiving a response again changes no identity and computes nothing (G2)', async () => {
  await fc.assert(
    fc.asyncProperty(list, async (payload) => {
      const controller = new Controller()
      const { fetch } = ask(controller, 'list', payload)
      await fetch()
      // A repeated record with different values takes the last of them, in each response again.
      const first = await fetch()
      const before = callsOf(controller).store.graph.computed
      const isConsistent = JSON.stringify(tablesOf(controller)) === JSON.stringify(tablesOf(controller))
      const second = await fetch()
      expect(isConsistent).toBe(true)
      expect(second).toBe(first)
      expect(callsOf(controller).store.graph.computed).toBe(before)
    }),
    { numRuns: 300 },
  )
})

test('the order in which independent responses are answered does not matter', async () => {
  const disjoint = (offset: number) =>
    list.map((people) => {
      const shift = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(shift)
        if (typeof value === 'number') return value + offset
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(
          Object.entries(value).map(([key, part]) => [key, key === 'plain' ? part : shift(part)]),
        )
      }
      return shift(people)
    })
  await fc.assert(
    fc.asyncProperty(disjoint(0), disjoint(100), async (one, two) => {
      const read = async (order: readonly ('one' | 'two')[]) => {
        const controller = new Controller()
        const asked = { one: ask(controller, 'one', one), two: ask(controller, 'two', two) }
        for (const name of order) await asked[name].fetch()
        return {
          tables: tablesOf(controller),
          data: [controller.read(asked.one.endpoint).data, controller.read(asked.two.endpoint).data],
        }
      }
      expect(await read(['one', 'two'])).toEqual(await read(['two', 'one']))
    }),
    { numRuns: 150 },
  )
})

test('a newer response wins over an older one, whichever is answered first (G4)', async () => {
  await fc.assert(
    fc.asyncProperty(list, list, async (older, newer) => {
      const read = async (isLateFirst: boolean) => {
        const controller = new Controller()
        const answers: (() => void)[] = []
        const waiting = [older, newer].map((payload, index) => {
          const endpoint = new Endpoint(
            () => new Promise<unknown>((resolve) => answers.push(() => resolve(structuredClone(payload)))),
            { name: `list ${index}`, schema: [Person] },
          )
          return controller.fetch(endpoint)
        })
        for (const index of isLateFirst ? [1, 0] : [0, 1]) {
          answers[index]?.()
          await waiting[index]
        }
        return tablesOf(controller)
      }
      const [inOrder, reversed] = [await read(false), await read(true)]
      expect(Object.keys(reversed).sort()).toEqual(Object.keys(inOrder).sort())
      expect(reversed).toEqual(inOrder)
    }),
    { numRuns: 150 },
  )
})

test('what is written is counted: each view that shows a change is computed once, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(list, tag, async (payload, changed) => {
      const controller = new Controller()
      const { endpoint, fetch } = ask(controller, 'list', payload)
      const before = await fetch()
      const beforeTags = new Map(
        [...(callsOf(controller).store.tables.get('Tag')?.nodes ?? [])].map(([pk]) => [
          pk,
          controller.get(Tag, pk),
        ]),
      )
      const computed = callsOf(controller).store.graph.computed
      controller.set(Tag, { id: changed.id }, changed)
      const after = controller.read(endpoint).data ?? []
      const renewedPeople = new Set(after.filter((member, index) => member !== before[index]))
      const work = callsOf(controller).store.graph.computed - computed
      const isTagRenewed = beforeTags.get(String(changed.id)) !== controller.get(Tag, { id: changed.id })
      if (!isTagRenewed) expect(after).toBe(before)
      // People that are only nested in others are recomputed too; each of them is computed once.
      const reached = new Set<Person>()
      const visit = (one: Person | null | undefined): void => {
        if (one === null || one === undefined || reached.has(one)) return
        reached.add(one)
        visit(one.best)
      }
      for (const one of renewedPeople) visit(one)
      const atMost = reached.size + (isTagRenewed ? 1 : 0) + (renewedPeople.size > 0 ? 2 : 0)
      expect(work).toBeLessThanOrEqual(atMost)
    }),
    { numRuns: 150 },
  )
})
