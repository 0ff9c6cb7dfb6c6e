import { Controller, Entity, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import { expect, test } from 'vitest'
import { explain } from './explain.js'

class Issue extends Entity {
  id = 0
  state = 'open'
  static override key = 'Issue'
}

test('explain says which index a maintained query uses', () => {
  const controller = new Controller()
  controller.set(new schema.All(Issue), {}, [{ id: 1 }])
  const inState = from(Issue).where('state')
  controller.get(inState, { state: 'open' })
  const explained = explain(controller, inState, { state: 'open' })
  expect(explained.index).toBe('the index of Issue by "state"')
  expect(explained.text).toMatch(/\nIts members: the index of Issue by "state"\.$/)
  expect(explain(controller, inState, {}).index).toBe('all records of Issue')
})
