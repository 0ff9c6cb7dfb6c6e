import { expect, test } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import { KnownEndpoints, idOf } from '../controller/known-endpoints.js'
import { touchesOf } from '../outbox/touches.js'
import { createResource } from '../rest.js'
import { TakenData } from '../tabs/taken-data.js'
import { contractOf, plansOf } from './contract-of.js'

class Task extends Entity {
  id = 0
  title = ''
  kind: 'task' | 'bug' = 'task'
  static override key = 'Task'
}

class Bug extends Task {
  override kind = 'bug' as const
  static override key = 'Bug'
}

const union = new schema.Union({ task: Task, bug: Bug }, 'kind')
const items = createResource({ path: '/item/:id', schema: union })

test('the classes of the record of a call are those of its schema', () => {
  const keysOf = (given: unknown) => plansOf(contractOf(given as never)).map(({ key }) => key)
  expect(keysOf(Task)).toEqual(['Task'])
  expect(keysOf(new schema.Delete(Task))).toEqual(['Task'])
  expect(keysOf(items.getList.schema.push)).toEqual(['Task', 'Bug'])
  expect(keysOf(items.delete.schema)).toEqual(['Task', 'Bug'])
  expect(keysOf(union)).toEqual(['Task', 'Bug'])
  // A kind that is no record.
  expect(keysOf(new schema.Union({ task: Task, note: { text: '' } }, 'kind'))).toEqual(['Task'])
  for (const many of [[Task], items.getList.schema, { data: [Task] }]) expect(keysOf(many)).toEqual([])
  // An envelope.
  expect(keysOf({ data: Task, bug: new schema.Delete(Bug), total: 0 })).toEqual(['Task', 'Bug'])
  const holdingItself: Record<string, unknown> = { data: Task }
  Object.assign(holdingItself, { next: holdingItself, item: union })
  expect(new Set(keysOf(holdingItself))).toEqual(new Set(['Task', 'Bug']))
  const nested = new schema.Union({ task: Task }, 'kind')
  nested.define({ group: { first: nested } })
  expect(keysOf({ data: nested })).toEqual(['Task'])
  expect(keysOf({ data: { created: items.getList.schema.push } })).toEqual(['Task', 'Bug'])
})

test('the mutations of a record of a Union wait for each other in an outbox, and its creates do not', () => {
  const touched = (endpoint: unknown, ...args: unknown[]) => touchesOf(endpoint as never, args, new Set())
  const record = ['record Task 5', 'record Bug 5']
  expect(touched(items.partialUpdate, { id: 5 }, { title: 'a' })).toEqual(record)
  expect(touched(items.delete, { id: 5 })).toEqual(record)
  expect(touched(items.create, { title: 'a' })).toEqual([])
})

test('what another tab wrote into a record of a Union, and only the server knows, makes Stale what shows it', () => {
  const controller = new Controller()
  const [task, bug] = [Task.fromJS({ id: 1, title: 'A' }), Bug.fromJS({ id: 2, title: 'A' })]
  const read = () => [controller.read(items.getList).status, controller.read(items.get, { id: 2 }).status]
  controller.setResponse(items.getList, [{ ...task }, { ...bug }])
  controller.setResponse(items.get, { id: 2 }, { ...bug })
  expect(read()).toEqual(['Valid', 'Valid'])
  const known = new KnownEndpoints()
  known.list([items], 'syncTabs()')
  const [args, response] = [[{ id: 2 }, { title: 'B' }], { ...bug, title: 'B' }] as const
  const endpoint = idOf(items.partialUpdate)
  const key = items.partialUpdate.key({ id: 2 }, { title: 'B' })
  new TakenData(controller, known).expire({ type: 'response', endpoint, args, key, response })
  expect(read()).toEqual(['Stale', 'Stale'])
  controller.dispose()
})
