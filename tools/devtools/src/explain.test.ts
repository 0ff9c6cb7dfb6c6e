import { Controller, Endpoint, Entity, schema } from '@selfsame/core'
import { from } from '@selfsame/core/maintained'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { createResource } from '@selfsame/core/rest'
import { memoryStorage } from '@selfsame/core/storage'
import { expect, onTestFinished, test, vi } from 'vitest'
import { record } from './devtools.js'
import { explain } from './explain.js'
import { begin, endOf, recordings } from './recordings.js'

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

test('a mutation in the outbox: what was tried, and what left the page', async () => {
  const issues = createResource({ path: '/issue/:id', urlPrefix: 'http://api', schema: Issue })
  const controller = new Controller({
    middleware: [outbox({ endpoints: [issues], storage: memoryStorage(), delayMs: () => 1 })],
    fetch: () => new Promise<never>(() => {}),
  })
  onTestFinished(() => controller.dispose())
  onTestFinished(record(controller))
  await outboxOf(controller).ready
  const { network } = recordings.get(controller)!
  const args = [{ id: 5 }, { state: 'closed' }] as const
  const lines = () => explain(controller, issues.partialUpdate, ...args).text.split('\n')
  network.set('', 'offline')
  controller.fetch(issues.partialUpdate, ...args).catch(() => {})
  await vi.waitFor(() =>
    expect(lines()[1]).toMatch(/Tried (\d+) times, sent 0 times: the panel stopped \1\./),
  )
  network.set('', undefined)
  await vi.waitFor(() => expect(lines()[1]).toMatch(/^It is being sent\./))
  const [, tried, stopped] =
    /Tried (\d+) times, sent 1 time: the panel stopped (\d+)\. It survives a reload\.$/
      .exec(lines()[1]!)!
      .map(Number)
  expect(tried).toBe(stopped! + 1)
  expect(lines()[0]).toBe('Issue.partialUpdate 5, {"state":"closed"}: in the outbox.')
  // Another one of the same record is not meant.
  expect(explain(controller, issues.partialUpdate, { id: 5 }, { state: 'open' }).text).not.toContain('Tried')
})

const issue = new Endpoint(({ id }: { readonly id: number }) => Promise.resolve({ id }), {
  name: 'issue',
  schema: Issue,
})

test('a production build knows no causes, and says so', async () => {
  const controller = new Controller()
  onTestFinished(record(controller))
  Object.defineProperty(recordings.get(controller)!.inspector, 'knowsReasons', { value: false })
  await controller.fetch(issue, { id: 5 })
  expect(explain(controller, issue, { id: 5 }).text).toMatch(
    /\nLast request: fetch issue 5 \(\d+ ms ago\)\. Causes are known in development builds only\.\n/,
  )
})

test('what happened to a call is no longer known after five thousand others', async () => {
  const controller = new Controller()
  onTestFinished(record(controller))
  await controller.fetch(issue, { id: 0 })
  const said = () => explain(controller, issue, { id: 0 }).text
  expect(said()).toContain('Last request: fetch issue 0')
  for (let id = 1; id <= 5000; id++) controller.setResponse(issue, { id }, { id })
  expect(said()).toContain('Last request: no longer in the recording.')
  expect(said()).toContain('Last change: no longer in the recording.')
})

test('changes that are not recorded are not called none', async () => {
  const controller = new Controller()
  const recording = begin(controller, {})
  onTestFinished(() => endOf(controller, recording))
  await controller.fetch(issue, { id: 5 })
  expect(explain(controller, issue, { id: 5 }).text).toContain(
    'Last change: not recorded. Changes are recorded once the panel was opened, or with `recordsChanges: true`.',
  )
})
