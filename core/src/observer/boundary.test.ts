import { describe, expect, test } from 'vitest'
import { Controller } from '../controller/controller.js'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import { Boundary, toCaughtError } from './boundary.js'
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
    { name: 'getTodo', schema: Todo },
  )
  const controller = new Controller()
  const fetch = () => controller.fetch(getTodo).catch(() => {})
  await fetch()
  const boundary = new Boundary()
  const observer = new Observer(controller, getTodo, [])
  const reading = observer.reading()
  if (reading.state !== 'failed') throw new Error(`It is ${reading.state}.`)
  boundary.report(observer, observer, reading)
  const changes: (Error | undefined)[] = []
  const watch = (thrown: unknown = reading.error) =>
    boundary.watch(thrown, (error) => void changes.push(error))
  const row = () => controller.row(getTodo, [])
  return { answers, boundary, changes, controller, error: reading.error, fetch, getTodo, row, watch }
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

test('what is no Error becomes the cause of one', () => {
  const error = new Error('text')
  expect(toCaughtError(error)).toBe(error)
  expect(toCaughtError('text')).toMatchObject({ message: 'text', cause: 'text' })
  expect(toCaughtError(undefined).message).toBe('nothing was thrown')
  const bare: unknown = Object.create(null)
  expect(toCaughtError(bare).cause).toBe(bare)
})
