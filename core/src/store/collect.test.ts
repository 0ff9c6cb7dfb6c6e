import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import type { Clock } from '../index.js'

class User extends Entity {
  id = 0
  email = ''
  static override key = 'User'
  static override indexes = ['email']
}
class Todo extends Entity {
  id = 0
  owner: User | undefined
  static override key = 'Todo'
  static override schema = { owner: User }
}

/** A clock that stands until it is moved. */
function manualClock() {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback }
      timers.push(timer)
      return timer
    },
    clearTimeout(timer) {
      timers = timers.filter((other) => other !== timer)
    },
  }
  return {
    clock,
    pending: () => timers.length,
    advance(ms: number) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
    },
  }
}

const setUp = () => {
  const time = manualClock()
  const controller = new Controller({ clock: time.clock, keepLength: 1000 })
  const count = (key: string) => controller.store.tables.get(key)?.nodes.size ?? 0
  const list = new Endpoint(() => Promise.resolve([{ id: 1, owner: { id: 5 } }, { id: 2 }]), {
    name: 'list',
    schema: new schema.Collection([Todo]),
  })
  return { ...time, controller, count, list }
}

describe('what nobody can see is collected after its time (G6)', () => {
  test('rows, lists and records, and then no timer is left', async () => {
    const { controller, count, list, advance, pending } = setUp()
    await controller.fetch(list)
    controller.get(User, { email: 'nobody' })
    expect([count('Todo'), count('User'), controller.store.results.size]).toEqual([2, 1, 1])
    for (let step = 0; step < 3; step++) advance(1000)
    expect([count('Todo'), count('User'), controller.store.results.size]).toEqual([0, 0, 0])
    expect([controller.store.collections.size, pending()]).toEqual([0, 0])
  })

  test('not what a reader shows, however old', async () => {
    const { controller, count, list, advance } = setUp()
    const data = await controller.fetch(list)
    const end = controller.subscribe(list, () => {})
    for (let step = 0; step < 5; step++) advance(1000)
    expect([count('Todo'), count('User')]).toEqual([2, 1])
    expect(controller.read(list).data).toBe(data)
    end()
    for (let step = 0; step < 3; step++) advance(1000)
    expect([count('Todo'), count('User')]).toEqual([0, 0])
  })

  test('not what a Query over all records shows, and what it showed is gone when it is', async () => {
    const { controller, count, advance } = setUp()
    const all = new Query(new schema.All(Todo))
    controller.set(Todo, { id: 1 }, {})
    const end = controller.subscribe(all, () => {})
    for (let step = 0; step < 3; step++) advance(1000)
    expect(controller.get(all)!.map(({ id }) => id)).toEqual([1])
    end()
    for (let step = 0; step < 3; step++) advance(1000)
    expect(count('Todo')).toBe(0)
    expect(controller.get(all)).toEqual([])
  })

  test('disposing ends the timers', async () => {
    const { controller, list, pending } = setUp()
    await controller.fetch(list)
    expect(pending()).toBe(1)
    controller.dispose()
    expect(pending()).toBe(0)
    await expect(controller.fetch(list)).rejects.toMatchObject({ code: 'controller-disposed' })
  })
})
