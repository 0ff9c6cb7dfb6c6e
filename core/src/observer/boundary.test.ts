import { describe, expect, test } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller } from '../controller/controller.js'
import { createSettleable } from '../util/settleable.js'
import { TestClock } from '../testing/test-clock.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import { toCaughtError } from '../errors.js'
import { Boundary } from './boundary.js'
import { Observer } from './observer.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

/** A mounted boundary, and a reader that threw its error. `answers` are the next responses. */
async function createFailed() {
  const answers: unknown[] = [new Error('first')]
  const getTodo = new Endpoint(
    async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
    { name: 'getTodo', schema: Todo, errorPolicy: () => 'hard' },
  )
  const clock = new TestClock()
  const controller = new Controller({ clock })
  const fetch = () => controller.fetch(getTodo).catch(() => {})
  await fetch()
  const boundary = new Boundary()
  const observer = new Observer(controller, getTodo, [])
  const reading = observer.readOrFetch()
  if (reading.state !== 'error') throw new Error(`It is ${reading.state}.`)
  boundary.report(observer, observer, reading, true)
  const exit = boundary.enter()
  const shown: (Error | undefined)[] = []
  boundary.subscribe(() => void shown.push(boundary.getSnapshot().error))
  const row = () => callsOf(controller).call(getTodo, [])
  return {
    answers,
    boundary,
    clock,
    controller,
    error: reading.error,
    exit,
    fetch,
    getTodo,
    observer,
    row,
    shown,
  }
}

/** The same, after the framework has caught that error. */
async function createCaught() {
  const failed = await createFailed()
  failed.boundary.catch(failed.error)
  expect(failed.shown.splice(0)).toEqual([failed.error])
  return failed
}

describe('what a boundary shows', () => {
  test('is its content, a fallback while a reader waits, and an error before both', async () => {
    const { boundary, controller, getTodo } = await createFailed()
    const [first, second] = [{}, {}]
    const observer = new Observer(controller, getTodo, [])
    const promise = createSettleable<undefined>().promise
    const failure = new Error('of a reader')
    expect(boundary.getSnapshot()).toEqual({ show: 'content', error: undefined, attempt: 0, isTrying: false })
    boundary.report(first, observer, { state: 'pending', promise, dropsLast: false, last: undefined })
    expect(boundary.getSnapshot()).toMatchObject({ show: 'fallback', error: undefined })
    boundary.report(second, observer, { state: 'error', error: failure })
    expect(boundary.getSnapshot()).toMatchObject({ show: 'error', error: failure })
    boundary.leave(second)
    boundary.report(first, observer, { state: 'success', data: 1 })
    expect(boundary.getSnapshot()).toMatchObject({ show: 'content', error: undefined, attempt: 0 })
  })

  test('is no error that a reader throws, before that is caught', async () => {
    const { boundary, error, shown } = await createFailed()
    expect(boundary.getSnapshot().show).toBe('content')
    boundary.catch(error)
    expect(boundary.getSnapshot()).toMatchObject({ show: 'error', error })
    // The remaining content may fail because of the first error.
    boundary.catch(new Error('second'))
    expect(shown).toEqual([error])
  })

  test('is not told of as long as nothing of it changes', async () => {
    const { boundary, error, observer, shown } = await createCaught()
    boundary.report({}, observer, { state: 'error', error })
    boundary.endTrial()
    boundary.depend([])
    expect(shown).toEqual([])
  })
})

describe('the error of a reader that was caught', () => {
  test('goes away when its call is answered: the content is made anew, and nothing is listened to', async () => {
    const { answers, boundary, fetch, row, shown } = await createCaught()
    expect(row().listeners.length).toBe(1)
    answers.push({ id: 5 }, { id: 5, title: 'Changed' })
    await fetch()
    expect(shown).toEqual([undefined])
    expect(boundary.getSnapshot()).toMatchObject({ show: 'content', attempt: 1 })
    expect(row().listeners.length).toBe(0)
    await fetch()
    expect(shown).toHaveLength(1)
  })

  test('is replaced by the next one, which is followed in turn', async () => {
    const { answers, boundary, fetch, shown } = await createCaught()
    const second = new Error('second')
    answers.push(second, { id: 5 })
    await fetch()
    expect(shown).toEqual([second])
    expect(boundary.getSnapshot().attempt).toBe(0)
    await fetch()
    expect(shown).toEqual([second, undefined])
  })

  test('goes away at once when it does not stand any more', async () => {
    const { answers, boundary, error, fetch, row } = await createFailed()
    answers.push({ id: 5 })
    await fetch()
    boundary.catch(error)
    expect(boundary.getSnapshot()).toMatchObject({ show: 'content', attempt: 1 })
    expect(row().listeners.length).toBe(0)
  })

  test('makes no request when it was taken back', async () => {
    const { controller, getTodo, row, shown } = await createCaught()
    controller.invalidate(getTodo)
    expect(shown).toEqual([undefined])
    expect(row().fetching).toBe(false)
  })

  test('is not followed while the boundary is off the screen, and looked at when it comes back', async () => {
    const { answers, boundary, exit, fetch, row, shown } = await createCaught()
    exit()
    expect(row().listeners.length).toBe(0)
    answers.push({ id: 5 })
    await fetch()
    expect(shown).toEqual([])
    boundary.enter()
    expect(shown).toEqual([undefined])
  })

  test('goes away after the frame in which no reader has it any more', async () => {
    const { boundary, observer, row, shown } = await createCaught()
    boundary.leave(observer)
    expect(shown).toEqual([])
    await Promise.resolve()
    expect(shown).toEqual([undefined])
    expect(row().listeners.length).toBe(0)
  })

  test('stays where the reader that left comes back in the same frame', async () => {
    const { boundary, error, observer, shown } = await createCaught()
    boundary.leave(observer)
    boundary.report({}, observer, { state: 'error', error }, true)
    await Promise.resolve()
    expect(shown).toEqual([])
  })

  test('goes away on the way back to the screen where no reader has it any more', async () => {
    const { boundary, exit, observer, shown } = await createCaught()
    exit()
    boundary.leave(observer)
    await Promise.resolve()
    expect(shown).toEqual([])
    boundary.enter()
    expect(shown).toEqual([undefined])
  })
})

test('an error of something else stays until the boundary is reset', async () => {
  const { answers, boundary, exit, fetch, shown } = await createFailed()
  boundary.catch(null)
  answers.push({ id: 5 })
  await fetch()
  exit()
  boundary.enter()
  expect(shown).toHaveLength(1)
  expect(boundary.getSnapshot().error).toMatchObject({ cause: null })
  boundary.reset()
  expect(boundary.getSnapshot()).toMatchObject({ show: 'content', attempt: 1 })
})

describe('content that depends on something else', () => {
  test('is tried beside the error, is told of it however old it is, and makes no request', async () => {
    const { boundary, clock, controller, error, getTodo, row } = await createCaught()
    clock.advance(60 * 60_000)
    boundary.depend(['a'])
    expect(boundary.getSnapshot()).toMatchObject({ show: 'error', error, attempt: 1, isTrying: true })
    expect(boundary.failures()).toEqual([])
    const observer = new Observer(controller, getTodo, [])
    const reading = observer.readOrFetch()
    expect(reading).toEqual({ state: 'error', error })
    boundary.report(observer, observer, reading, true)
    expect(boundary.trialOf(error)).toMatchObject({ status: 'pending' })
    expect(boundary.trialOf(new Error('first'))).toBeUndefined()
    boundary.endTrial()
    expect(boundary.getSnapshot()).toMatchObject({ show: 'error', error, attempt: 1, isTrying: false })
    expect(boundary.trialOf(error)).toBeUndefined()
    expect(row().fetching).toBe(false)
    // A reader outside of the trial fetches.
    expect(new Observer(controller, getTodo, []).readOrFetch().state).toBe('pending')
  })

  test('takes the error away which none of its readers has', async () => {
    const { boundary, controller } = await createCaught()
    boundary.depend(['a'])
    boundary.endTrial()
    expect(boundary.getSnapshot()).toMatchObject({ show: 'content', attempt: 1, isTrying: false })
    expect(callsOf(controller).heldErrors.size).toBe(0)
  })

  test('shows the other error that it throws', async () => {
    const { boundary, row } = await createCaught()
    const error = new Error('of the new content')
    boundary.depend(['a'])
    boundary.catch(error)
    boundary.endTrial()
    expect(boundary.getSnapshot()).toMatchObject({ show: 'error', error, isTrying: false })
    expect(row().listeners.length).toBe(0)
  })

  test('is not tried twice at once, and the trial ends with the boundary', async () => {
    const { boundary, controller, exit } = await createCaught()
    boundary.depend(['a'])
    boundary.depend(['b'])
    expect(boundary.getSnapshot().attempt).toBe(1)
    exit()
    expect(callsOf(controller).heldErrors.size).toBe(0)
  })

  test('is tried for other keys, compared one by one, and for other content if the error is that of a reader', async () => {
    const { boundary } = await createFailed()
    const attempts = () => {
      boundary.endTrial()
      const { attempt } = boundary.getSnapshot()
      boundary.catch(new Error('of something else'))
      return attempt
    }
    boundary.depend([Number.NaN, 'a'], 'content')
    expect(attempts()).toBe(0)
    boundary.depend([Number.NaN, 'a'], 'other content')
    expect(attempts()).toBe(0)
    boundary.depend([Number.NaN, 'a', undefined], 'other content')
    expect(attempts()).toBe(1)
    boundary.depend([Number.NaN, 'a', 0], 'other content')
    expect(attempts()).toBe(2)
    boundary.depend([Number.NaN, 'a', -0], 'other content')
    expect(attempts()).toBe(3)
    const caught = await createCaught()
    caught.boundary.depend(undefined, 'other content')
    expect(caught.boundary.getSnapshot().attempt).toBe(1)
    const intact = await createFailed()
    intact.boundary.depend(['a'])
    expect(intact.boundary.getSnapshot().attempt).toBe(0)
  })
})

describe('a reset', () => {
  test('lets content ask for what it names, and nobody for what it does not', async () => {
    const { answers, boundary, controller, getTodo, row } = await createCaught()
    boundary.reset()
    expect(boundary.getSnapshot()).toMatchObject({ show: 'content', attempt: 1 })
    expect(row().error).toBeUndefined()
    expect(row().fetching).toBe(false)
    answers.push({ id: 5 })
    expect(new Observer(controller, getTodo, []).readOrFetch().state).toBe('pending')
    expect(row().fetching).toBe(true)
  })

  test('takes the errors back later where the content that threw is still there', async () => {
    const { boundary, error, row } = await createCaught()
    let takeBack: (() => void) | undefined
    boundary.reset((later) => (takeBack = later))
    expect(boundary.getSnapshot().show).toBe('content')
    expect(row().error).toBe(error)
    takeBack?.()
    expect(row().error).toBeUndefined()
  })

  test('makes no content anew whose readers did not throw', async () => {
    const { boundary, error, observer, row } = await createFailed()
    boundary.report(observer, observer, { state: 'error', error })
    boundary.reset(() => expect.fail('There is nothing to wait for.'))
    expect(boundary.getSnapshot()).toMatchObject({ show: 'content', attempt: 0 })
    expect(row().error).toBeUndefined()
  })

  test('asks as well where older data is there', async () => {
    const { answers, boundary, controller, fetch, getTodo, row } = await createFailed()
    answers.push({ id: 5 }, new Error('gone'), { id: 5, title: 'Back' })
    await fetch()
    await fetch()
    const failed = new Observer(controller, getTodo, [])
    const reading = failed.readOrFetch()
    expect(reading).toMatchObject({ state: 'error', error: { message: 'gone' } })
    boundary.report(failed, failed, reading)
    boundary.reset()
    const observer = new Observer(controller, getTodo, [])
    expect(observer.readOrFetch()).toMatchObject({ state: 'success', data: { id: 5 } })
    observer.fetchIfDue()
    expect(row().fetching).toBe(true)
  })
})

test('what is no Error becomes the cause of one', () => {
  const error = new Error('text')
  expect(toCaughtError(error)).toBe(error)
  expect(toCaughtError('text')).toMatchObject({ message: 'text', cause: 'text' })
  expect(toCaughtError(undefined).message).toBe('nothing was thrown')
  const bare: unknown = Object.create(null)
  expect(toCaughtError(bare).cause).toBe(bare)
})
