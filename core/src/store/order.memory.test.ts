import { expect, test } from 'vitest'
import { Entity } from '../schema/entity.js'
import { planOf } from '../schema/entity-plan.js'
import { FieldOrder } from './order.js'
import { RecordNode } from './records.js'
import { Store } from './store.js'
import { heldAfter } from './testing-memory.js'

class Todo extends Entity {
  id = 0
  points: readonly number[] = []
}

test('what records had before they were written is freed with what is young, once no request is under way', () => {
  const order = new FieldOrder()
  const node = new RecordNode(new Store().table(planOf(Todo)), '1', 0)
  let position = 0
  const write = (count: number) => {
    for (; count > 0; count--) {
      const start = ++position
      order.begin(start, 0)
      const before = node.fields
      node.fields = { id: 1, points: Array<number>(2000).fill(start + 0.5) }
      const settle = ++position
      const done = {
        before,
        wasWritten: true,
        own: [],
        decidesExistence: false,
        isComputed: false,
        versions: undefined,
      }
      order.note({ kind: 'read', start, settle }, node, done)
      order.end(start)
    }
  }
  // Each of 1,000 has some 16 kB.
  expect(heldAfter(write)).toBeLessThan(5_000_000)
})
