import { callsOf } from '../controller/calls.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import type { Schema } from '../index.js'
import { RestEndpoint } from '../rest.js'
import { RecordNode } from '../store/records.js'
import { CollectionNode } from './collection-node.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const id = fc.integer({ min: 1, max: 9 })
const ids = fc.array(id, { maxLength: 4 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('list' as const), ids }),
  fc.record({ kind: fc.constant('page' as const), ids }),
  fc.record({ kind: fc.constant('change' as const), id, title: fc.constantFrom('a', 'b') }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('invalidate' as const) }),
)

const forms: readonly [string, Schema][] = [
  ['an array', [Todo]],
  ['a Collection', new schema.Collection([Todo])],
]

/** Returns the records of a stored list that are not deleted. */
function storedIn(result: unknown): unknown[] {
  const members = result instanceof CollectionNode ? result.members : result
  return (members as unknown[]).filter((node) => node instanceof RecordNode && node.fields !== undefined)
}

test.each(forms)(
  'what is shown of pages of %s is what is stored, each record once (E14)',
  async (_, list) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, isRead) => {
        let answer: unknown = []
        const Test = class extends RestEndpoint {
          override fetchResponse() {
            return Promise.resolve(Response.json(answer))
          }
        }
        const getList = new Test({ path: '/todo', schema: list, paginationField: 'cursor' })
        const remove = new Test({ path: '/todo/:id', method: 'DELETE', schema: new schema.Delete(Todo) })
        const controller = new Controller({ keepLength: Infinity })
        if (isRead) controller.subscribe(getList, () => {})
        for (const each of steps) {
          const before = controller.read(getList).data as readonly Todo[] | undefined
          // A response contains each record once.
          if ('ids' in each) answer = [...new Set(each.ids)].map((one) => ({ id: one, title: 'sent' }))
          if (each.kind === 'list') await controller.fetch(getList)
          else if (each.kind === 'page') await controller.fetch(getList.getPage!, { cursor: 1 })
          else if (each.kind === 'change') controller.set(Todo, { id: each.id }, { title: each.title })
          else if (each.kind === 'invalidate') controller.invalidate(getList)
          else await controller.fetch(remove, { id: each.id })
          const { data } = controller.read(getList)
          const { result, state } = callsOf(controller).call(getList, [])
          if (data === undefined || state.isInvalidated) continue
          const shown = data as readonly Todo[]
          const stored = storedIn(result) as RecordNode[]
          expect(shown.map((todo) => String(todo.id))).toEqual(stored.map(({ pk }) => pk))
          expect(new Set(shown).size).toBe(shown.length)
          shown.forEach((todo) => expect(todo).toBe(controller.get(Todo, { id: todo.id })))
          if (each.kind !== 'page' || before === undefined) continue
          // A page keeps the order of the members, including those of records that were deleted and received again.
          const known = new Set(before.map((todo) => todo.id))
          expect(shown.map((todo) => todo.id).filter((one) => known.has(one))).toEqual([...known])
        }
        controller.dispose()
      }),
    )
  },
)
