import { callsOf } from '../controller/calls.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity } from '../index.js'

/** Nodes that refer to each other freely: cycles, self references, shared and missing records. */
class Node extends Entity {
  id = 0
  value = 0
  next: Node | null | undefined = null
  friends: Node[] = []
  static override key = 'Node'
}
Node.schema = { next: Node, friends: [Node] }

interface Model {
  value: number
  next: number | null
  friends: number[]
}

const size = 8
const id = fc.integer({ min: 0, max: size - 1 })
const fields = fc.record(
  {
    value: fc.integer({ min: 0, max: 2 }),
    next: fc.option(id, { nil: null }),
    friends: fc.array(id, { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), id, fields }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const) }) },
)

/**
 * The data of a node as text that is finite in a cycle: all nodes that can be reached from it, in order.
 *
 * @param missing - the text of a node that is not stored
 * @param read - returns the data of a node; `undefined` if it is not stored
 */
function shownFrom<Key>(
  start: Key,
  missing: (key: Key) => string,
  read: (key: Key) => { text: string; next: Key | null; friends: Key[] } | undefined,
): string {
  const seen = new Map<Key, number>()
  const visit = (key: Key): string => {
    const known = seen.get(key)
    if (known !== undefined) return `#${known}`
    const node = read(key)
    if (node === undefined) return missing(key)
    seen.set(key, seen.size)
    const next = node.next === null ? 'null' : visit(node.next)
    return `(${node.text} ${next} [${node.friends.map(visit).join()}])`
  }
  return visit(start)
}

/** Includes members that are not stored, which a list does not show: the received list may change only in these. */
const heldByModel = (model: Map<number, Model>, start: number) =>
  shownFrom(
    start,
    (at) => `missing ${at}`,
    (at) => {
      const node = model.get(at)
      return node && { text: `${at}:${node.value}`, next: node.next, friends: node.friends }
    },
  )

const shownByModel = (model: Map<number, Model>, start: number) =>
  shownFrom(
    start,
    () => 'missing',
    (at) => {
      const node = model.get(at)
      if (node === undefined) return undefined
      return {
        text: `${at}:${node.value}`,
        next: node.next,
        friends: node.friends.filter((friend) => model.has(friend)),
      }
    },
  )

const shownByView = (start: Node | undefined) =>
  shownFrom<Node | undefined>(
    start,
    () => 'missing',
    (node) => node && { text: `${node.id}:${node.value}`, next: node.next, friends: node.friends },
  )

test('views equal a recomputation from scratch, and are renewed exactly when they show a change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const controller = new Controller()
      const model = new Map<number, Model>()
      const detail = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
        name: 'node',
        schema: Node,
      })
      const list = new Endpoint(() => Promise.resolve(Array.from({ length: size }, (_, at) => at)), {
        name: 'list',
        schema: [Node],
      })
      await controller.fetch(list)
      // Another reader may recompute a view in between: then its identity is unknown.
      const last = new Map<number, { view: Node | undefined; shown: string; isRenewed?: true }>()
      let lastList: { view: readonly Node[]; shown: string; isRenewed?: true } | undefined
      const heldByList = () =>
        [...model.keys()]
          .sort((a, b) => a - b)
          .map((at) => heldByModel(model, at))
          .join('|')
      const noteComputation = () => {
        for (const [at, before] of last) if (heldByModel(model, at) !== before.shown) before.isRenewed = true
        if (lastList !== undefined && heldByList() !== lastList.shown) lastList.isRenewed = true
      }
      const check = (
        before: { view: unknown; shown: string; isRenewed?: true } | undefined,
        view: unknown,
        shown: string,
      ) => {
        if (before === undefined) return
        if (view === before.view) expect(shown).toBe(before.shown)
        else if (before.isRenewed === undefined) expect(shown).not.toBe(before.shown)
      }
      const read = (at: number) => {
        const view = controller.read(detail, { id: at }).data
        expect(shownByView(view)).toBe(shownByModel(model, at))
        const shown = heldByModel(model, at)
        const before = last.get(at)
        check(before, view, shown)
        noteComputation()
        last.set(at, { view, shown })
      }
      const readList = () => {
        const view = controller.read(list).data!
        const members = [...model.keys()].sort((a, b) => a - b)
        expect(view.map(({ id }) => id)).toEqual(members)
        const shown = heldByList()
        check(lastList, view, shown)
        noteComputation()
        for (const member of view) expect(member).toBe(controller.read(detail, { id: member.id }).data)
        lastList = { view, shown }
      }
      for (const action of steps) {
        if (action.kind === 'read') read(action.id)
        else if (action.kind === 'list') readList()
        else if (action.kind === 'write') {
          const before = model.get(action.id)
          const written =
            before === undefined ? { value: 0, next: null, friends: [], ...action.fields } : action.fields
          controller.set(Node, { id: action.id }, written as never)
          model.set(action.id, { ...before, ...written } as Model)
        } else {
          const start = callsOf(controller).store.nextSequence()
          callsOf(controller).write(
            undefined,
            (transaction) => {
              const plan = [...callsOf(controller).store.tables.values()][0]!.plans[0]!
              transaction.remove(plan, transaction.reference(plan, String(action.id)))
            },
            { kind: 'mutation', start },
          )
          model.delete(action.id)
        }
      }
      for (let at = 0; at < size; at++) read(at)
      readList()
    }),
    { numRuns: 1000 },
  )
})

test('what is computed is counted: the views that show a change, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const controller = new Controller()
      const { graph } = callsOf(controller).store
      const detail = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
        name: 'node',
        schema: Node,
      })
      const list = new Endpoint(() => Promise.resolve(Array.from({ length: size }, (_, at) => at)), {
        name: 'list',
        schema: [Node],
      })
      const readAll = () => ({
        list: controller.read(list).data,
        nodes: Array.from({ length: size }, (_, id) => controller.read(detail, { id }).data),
      })
      await controller.fetch(list)
      for (let id = 0; id < size; id++) controller.set(Node, { id }, { value: 0, next: null, friends: [] })
      let before = readAll()
      for (const action of steps) {
        if (action.kind !== 'write') continue
        controller.set(Node, { id: action.id }, action.fields as never)
        const computed = graph.computed
        const after = readAll()
        const renewed = after.nodes.filter((node, at) => node !== before.nodes[at]).length
        // Each recomputed node has a record view and a result view; the list has a list view and a result view.
        expect(graph.computed - computed).toBe(renewed * 2 + (renewed > 0 ? 2 : 0))
        expect(after.list === before.list).toBe(renewed === 0)
        before = after
      }
    }),
    { numRuns: 300 },
  )
})
