import { describe, expect, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { TestClock } from '../testing/test-clock.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import { Boundary, areSameKeys, toCaughtError } from './boundary.js'
import { Observer } from './observer.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

/** A boundary that was told of a reader whose call failed; the next answers are those that are given. */
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
  const reading = observer.reading()
  if (reading.state !== 'error') throw new Error(`It is ${reading.state}.`)
  boundary.report(observer, observer, reading)
  const changes: (Error | undefined)[] = []
  const watch = (thrown: unknown = reading.error) =>
    boundary.watch(thrown, (error) => void changes.push(error))
  const row = () => controller.row(getTodo, [])
  return { answers, boundary, changes, clock, controller, error: reading.error, fetch, getTodo, row, watch }
}

describe('an error that a boundary watches', () => {
  test('is told of once when its call is answered, and nothing is listened to afterwards', async () => {
    const { answers, boundary, changes, fetch, row, watch } = await createFailed()
    watch()
    expect(row().listeners.length).toBe(1)
    answers.push({ id: 5 }, { id: 5, title: 'Changed' })
    await fetch()
    expect(changes).toEqual([undefined])
    expect(boundary.getSnapshot().error).toBeUndefined()
    expect(row().listeners.length).toBe(0)
    await fetch()
    expect(changes).toHaveLength(1)
  })

  test('is replaced by the next one, which can be watched in turn', async () => {
    const { answers, boundary, changes, fetch, watch } = await createFailed()
    watch()
    const second = new Error('second')
    answers.push(second, { id: 5 })
    await fetch()
    expect(changes).toEqual([second])
    expect(boundary.getSnapshot().error).toBe(second)
    watch(second)
    await fetch()
    expect(changes).toEqual([second, undefined])
  })

  test('is told of at once when it does not stand any more', async () => {
    const { answers, changes, fetch, row, watch } = await createFailed()
    answers.push({ id: 5 })
    await fetch()
    watch()
    expect(changes).toEqual([undefined])
    expect(row().listeners.length).toBe(0)
  })

  test('makes no request when it was taken back', async () => {
    const { changes, controller, getTodo, row, watch } = await createFailed()
    watch()
    controller.invalidate(getTodo)
    expect(changes).toEqual([undefined])
    expect(row().fetching).toBe(false)
  })

  test('is not watched any more after the end', async () => {
    const { answers, changes, fetch, row, watch } = await createFailed()
    watch()?.()
    expect(row().listeners.length).toBe(0)
    answers.push({ id: 5 })
    await fetch()
    expect(changes).toEqual([])
  })

  test('is one of a reader inside', async () => {
    const { watch } = await createFailed()
    expect(watch(new Error('first'))).toBeUndefined()
    expect(watch(null)).toBeUndefined()
  })
})

describe('content that is made anew', () => {
  test('in a trial, is told of the error that is shown however old it is, and makes no request', async () => {
    const { boundary, clock, controller, error, getTodo, row, watch } = await createFailed()
    watch()
    clock.advance(60 * 60_000)
    boundary.beginTrial()
    expect(boundary.failures(error)).toEqual([])
    const observer = new Observer(controller, getTodo, [])
    const reading = observer.reading()
    expect(reading).toEqual({ state: 'error', error })
    boundary.report(observer, observer, reading)
    expect(boundary.trialOf(error)).toMatchObject({ status: 'pending' })
    expect(boundary.trialOf(new Error('first'))).toBeUndefined()
    expect(boundary.endTrial()).toBe(true)
    expect(boundary.trialOf(error)).toBeUndefined()
    expect(row().fetching).toBe(false)
    // Who is not tried asks.
    expect(new Observer(controller, getTodo, []).reading().state).toBe('pending')
  })

  test('does not name what no reader of it reports', async () => {
    const { boundary, changes, watch } = await createFailed()
    watch()
    boundary.beginTrial()
    expect(boundary.endTrial()).toBe(false)
    expect(changes).toEqual([])
  })

  test('asks after a reset for what it names, and nobody does for what it does not', async () => {
    const { answers, boundary, controller, getTodo, row } = await createFailed()
    boundary.reset()
    expect(row().error).toBeUndefined()
    expect(row().fetching).toBe(false)
    answers.push({ id: 5 })
    expect(new Observer(controller, getTodo, []).reading().state).toBe('pending')
    expect(row().fetching).toBe(true)
  })

  test('asks after a reset as well where older data is there', async () => {
    const { answers, boundary, controller, fetch, getTodo, row } = await createFailed()
    answers.push({ id: 5 }, new Error('gone'), { id: 5, title: 'Back' })
    await fetch()
    await fetch()
    const failed = new Observer(controller, getTodo, [])
    const reading = failed.reading()
    expect(reading).toMatchObject({ state: 'error', error: { message: 'gone' } })
    boundary.report(failed, failed, reading)
    boundary.reset()
    const observer = new Observer(controller, getTodo, [])
    expect(observer.reading()).toMatchObject({ state: 'success', data: { id: 5 } })
    observer.ask()
    expect(row().fetching).toBe(true)
  })
})

test('keys are compared one by one', () => {
  expect(areSameKeys(undefined, [])).toBe(true)
  expect(areSameKeys([NaN, 'a'], [NaN, 'a'])).toBe(true)
  expect(areSameKeys([0], [-0])).toBe(false)
  expect(areSameKeys([1], [1, undefined])).toBe(false)
})

test('what is no Error becomes the cause of one', () => {
  const error = new Error('text')
  expect(toCaughtError(error)).toBe(error)
  expect(toCaughtError('text')).toMatchObject({ message: 'text', cause: 'text' })
  expect(toCaughtError(undefined).message).toBe('nothing was thrown')
  const bare: unknown = Object.create(null)
  expect(toCaughtError(bare).cause).toBe(bare)
})
