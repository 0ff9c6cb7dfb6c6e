import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'
import { optimistic } from './optimistic.js'

/** Nodes that refer to each other freely, so that a change of one shows through others, and through cycles. */
class Node extends Entity {
  id = 0
  title = ''
  next: Node | undefined
  static override key = 'Node'
}
Node.schema = { next: Node }

const ids = [1, 2, 3] as const
const id = fc.constantFrom(...ids)
const title = fc.constantFrom('a', 'b', 'c')
const write = fc.record({ id, fields: fc.record({ title, next: id }, { requiredKeys: [] }) })
const scenario = fc.record({
  nodes: fc.tuple(id, id, id),
  read: fc.subarray([...ids]),
  mutations: fc.array(fc.record({ id, title }), { minLength: 1, maxLength: 2 }),
  meanwhile: fc.array(fc.oneof(id, write), { maxLength: 4 }),
})

const detail = new Endpoint(async (_params: { id: number }) => ({}), { name: 'detail', schema: Node })
const refused = new Endpoint(
  (_params: { id: number }, _body: object): Promise<unknown> => Promise.reject(new Error('refused')),
  {
    name: 'refused',
    sideEffect: true,
    schema: Node,
    getOptimisticResponse: optimistic((_snapshot, params: { id: number }, body: object) => ({
      ...params,
      ...body,
    })),
  },
)

test('after failed mutations all readers show the selfsame records, whatever was received and read meanwhile', async () => {
  const property = fc.asyncProperty(scenario, async ({ nodes, read, mutations, meanwhile }) => {
    const [controller, other] = [new Controller(), new Controller()]
    const set = (of: number, fields: object) => {
      for (const each of [controller, other]) each.set(Node, { id: of }, fields)
    }
    for (const of of ids) set(of, { title: 'a', next: nodes[of - 1] })
    for (const of of read) controller.read(detail, { id: of })
    const failing = mutations.map(({ id: of, ...body }) => controller.fetch(refused, { id: of }, body))
    for (const step of meanwhile) {
      if (typeof step === 'number') controller.read(detail, { id: step })
      else set(step.id, step.fields)
    }
    await Promise.allSettled(failing)
    for (const of of ids) {
      let shown = controller.read(detail, { id: of }).data
      let expected = other.get(Node, { id: of })
      for (let depth = 0; depth < 4; depth++) {
        expect(shown).toBe(controller.get(Node, { id: shown?.id ?? 0 }))
        expect([shown?.id, shown?.title]).toEqual([expected?.id, expected?.title])
        shown = shown?.next
        expected = expected?.next
      }
    }
    for (const each of [controller, other]) each.dispose()
  })
  await fc.assert(property, { numRuns: 1000 })
})
