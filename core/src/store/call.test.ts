import { describe, expect, test, vi } from 'vitest'
import type { Call, CallEvent } from './call.js'
import { noResult } from './results.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import { Store } from './store.js'

const stampAt = (sequence: number): Stamp => ({
  fetchedAt: sequence,
  expiresAt: Infinity,
  start: sequence,
  sequence,
  mutationStart: 0,
})
const attempt = { start: 5, progress: undefined }
const failure = { error: new Error('no'), start: 5, expiresAt: Infinity }

const asked: CallEvent = { type: 'asked', attempt }
const settled: CallEvent = { type: 'settled', attempt }
const answered: CallEvent = { type: 'answered', result: 'data', stamp: stampAt(5) }
const failed: CallEvent = { type: 'failed', ...failure }
const invalidated: CallEvent = { type: 'invalidated', at: 7 }

/** The states of a call as the specification names them. */
function stateOf(call: Call): string {
  const answer = call.state.isInvalidated ? 'invalid' : call.result === noResult ? 'none' : 'success'
  const request = call.fetching ? 'pending' : call.state.pausedUntil > 0 ? 'paused' : 'idle'
  const age =
    call.state.graceUntil > 0
      ? 'grace'
      : call.state.expiredAt > call.stamp.sequence
        ? 'stale'
        : 'by its stamp'
  return [answer, ...(call.error === undefined ? [] : ['error']), request, age].join(', ')
}

function createCall(...events: readonly CallEvent[]): Call {
  const call = new Store().call({ key: 'GET /todo', schema: undefined, args: [] })
  for (const event of events) call.transition(event)
  return call
}

describe('the states of a call (specification 3)', () => {
  test.each<[string, CallEvent[], string]>([
    ['begins', [], 'none, idle, by its stamp'],
    ['is asked for', [asked], 'none, pending, by its stamp'],
    ['is answered', [asked, answered, settled], 'success, idle, by its stamp'],
    [
      'is answered for a reader that waits',
      [asked, answered, { ...settled, graceUntil: 9 }],
      'success, idle, grace',
    ],
    [
      'is shown',
      [asked, answered, { ...settled, graceUntil: 9 }, { type: 'shown' }],
      'success, idle, by its stamp',
    ],
    ['fails', [asked, failed, settled], 'none, error, idle, by its stamp'],
    ['fails beside data', [answered, asked, failed, settled], 'success, error, idle, by its stamp'],
    ['is answered after it failed', [failed, answered], 'success, idle, by its stamp'],
    [
      'is answered earlier than it failed',
      [failed, { ...answered, stamp: stampAt(4) }],
      'success, error, idle, by its stamp',
    ],
    ['has its error taken back', [failed, { type: 'forgiven' }], 'none, idle, by its stamp'],
    ['is aborted', [asked, { ...settled, pausedUntil: 9 }], 'none, paused, by its stamp'],
    ['is asked for after that', [{ type: 'hidden' }, asked], 'none, pending, by its stamp'],
    ['is invalidated', [answered, failed, invalidated], 'invalid, idle, by its stamp'],
    ['is invalidated while it is asked for', [answered, asked, invalidated], 'invalid, idle, by its stamp'],
    ['is made Stale', [answered, { type: 'expired', at: 8 }], 'success, idle, stale'],
    ['is forgotten', [answered, asked, { type: 'forgotten', at: 9 }], 'none, idle, by its stamp'],
    [
      'is hydrated',
      [{ type: 'hydrated', result: 'data', stamp: stampAt(0), isInvalidated: false, failure }],
      'success, error, idle, by its stamp',
    ],
    ['has its answer hidden by a mutation', [answered, { type: 'hidden' }], 'success, paused, by its stamp'],
    ['resumes', [{ type: 'hidden' }, { type: 'resumed' }], 'none, idle, by its stamp'],
    [
      'is changed by an update',
      [answered, asked, { type: 'replaced', result: 'new', at: 7 }],
      'success, idle, by its stamp',
    ],
  ])('one that %s', (_what, events, state) => {
    expect(stateOf(createCall(...events))).toBe(state)
  })

  test.each<[CallEvent, boolean]>([
    [asked, false],
    [{ type: 'reported', attempt, progress: { direction: 'upload', loaded: 1, total: 2 } }, false],
    [settled, true],
    [answered, true],
    [{ type: 'replaced', result: 'new' }, false],
    [failed, true],
    [{ type: 'forgiven' }, false],
    [invalidated, true],
    [{ type: 'expired', at: 8 }, false],
    [{ type: 'forgotten', at: 8 }, true],
    [{ type: 'hydrated', result: 1, stamp: neverWritten, isInvalidated: false, failure: undefined }, true],
    [{ type: 'hidden' }, false],
    [{ type: 'resumed' }, true],
    [{ type: 'renewed' }, false],
    [{ type: 'shown' }, false],
    [{ type: 'collected' }, false],
  ])('$type lets readers that wait look again: %s', async (event, expected) => {
    const call = createCall()
    const { news } = call
    call.transition(event)
    await Promise.resolve()
    expect([news.status, call.news === news]).toEqual(expected ? ['fulfilled', false] : ['pending', true])
  })

  test('the request that started last is shown, whichever said first how far it is', () => {
    const early = { start: 1, progress: undefined }
    const late = { start: 2, progress: undefined }
    const call = createCall({ type: 'asked', attempt: late }, { type: 'asked', attempt: early })
    call.transition({
      type: 'reported',
      attempt: late,
      progress: { direction: 'upload', loaded: 1, total: 2 },
    })
    expect(call.attempt).toMatchObject({ start: 2, progress: { loaded: 1 } })
    call.transition({ type: 'settled', attempt: late })
    expect(call.attempt).toMatchObject({ start: 1, progress: undefined })
  })

  test('a late answer takes back nothing that made it Stale later', () => {
    const call = createCall({ type: 'expired', at: 8 }, { type: 'expired', at: 6 })
    expect(call.state.expiredAt).toBe(8)
  })

  test('a view is computed anew only where it shows another result', () => {
    const store = new Store()
    const call = store.call({ key: 'GET /todo', schema: undefined, args: [] })
    const mark = vi.spyOn(store.graph, 'drop')
    for (const event of [asked, settled, failed]) store.move(call, event)
    expect(mark).not.toHaveBeenCalled()
    store.move(call, answered)
    store.move(call, answered)
    store.move(call, invalidated)
    expect(mark).toHaveBeenCalledTimes(2)
  })

  test('nothing but an event changes it', () => {
    const call = createCall()
    // @ts-expect-error each member of the state is readonly, and without an event it is that of all calls
    expect(() => void (call.state.isInvalidated = false)).toThrow(TypeError)
    // @ts-expect-error `fetching` is readonly too
    expect(() => void (call.fetching = true)).toThrow(TypeError)
  })
})
