import { callsOf } from '../../controller/calls.js'
import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../../index.js'
import type { Clock } from '../../index.js'
import type { RecordIndex } from '../indexes.js'
import { viewsOf } from '../records.js'
import { optimistic } from '../../optimistic/optimistic.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

class Person extends Entity {
  id = 0
  email = ''
  boss: Person | undefined
  friends: Person[] = []
  static override key = 'Person'
  static override indexes = ['email']
}
Person.schema = { boss: Person, friends: [Person] }

declare const gc: () => void

/** Lets the engine collect unreachable objects: finalization needs a separate task. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    gc()
  }
}

test('what no reader shows and no result holds is released; what is shown is kept (G6)', async () => {
  let now = 0
  let timers: (() => void)[] = []
  const controller = new Controller({
    keepLength: 1000,
    clock: {
      now: () => now,
      setTimeout: (callback) => timers.push(callback),
      clearTimeout: () => {
        timers = []
      },
    },
  })
  const pass = () => {
    now += 1001
    for (const callback of timers.splice(0)) callback()
  }
  const list = new Endpoint(
    ({ page }: { page: number }) => Promise.resolve([{ id: page, title: `${page}` }, { id: page + 1000 }]),
    { name: 'list', schema: new schema.Collection([Todo]) },
  )
  let end: (() => void) | undefined = controller.subscribe(list, { page: 1 }, () => {})
  const shown = new WeakRef((await controller.fetch(list, { page: 1 }))[0] as Todo)
  const left: WeakRef<Todo>[] = []
  for (let page = 2; page < 100; page++)
    left.push(new WeakRef((await controller.fetch(list, { page }))[0] as Todo))
  for (let round = 0; round < 3; round++) pass()
  await collectGarbage()
  expect(left.filter((reference) => reference.deref() !== undefined)).toEqual([])
  expect(shown.deref()?.title).toBe('1')
  end()
  end = undefined
  for (let round = 0; round < 3; round++) pass()
  await collectGarbage()
  expect(shown.deref()).toBe(undefined)
})

test('everything unreachable is freed: records, rows, views, lists and entries of indexes (G6)', async () => {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer) => (timers = timers.filter((other) => other !== timer)),
  }
  const pass = (ms: number) => {
    for (now += ms; timers.some(({ at }) => at <= now);) {
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
    }
  }
  const controller = new Controller({ keepLength: 1000, clock })
  const { store } = callsOf(controller)
  const collection = new schema.Collection([Person])
  const list = new Endpoint(
    ({ page }: { page: number }) =>
      Promise.resolve([{ id: page, email: `${page}`, boss: { id: 7, friends: [page, 8] } }]),
    { name: 'list', schema: collection },
  )
  const all = new Query(new schema.All(Person))
  const byEmail = new Query(Person)
  const failing = new Endpoint(() => Promise.reject(new Error('failed')), { name: 'failing', schema: Person })
  const early = new Endpoint(() => Promise.reject(new Error('refused')), {
    name: 'early',
    sideEffect: true,
    schema: collection.push,
    getOptimisticResponse: optimistic(() => ({ id: 900, boss: 901 })),
  })
  const freed: Record<string, WeakRef<object>[]> = {}
  const note = (kind: string, target: object) => (freed[kind] ??= []).push(new WeakRef(target))
  /** A separate function, so that no variable of the test retains the objects. */
  const use = async () => {
    const ends = [controller.subscribe(all, () => {}), controller.subscribe(list, { page: 1 }, () => {})]
    for (let page = 1; page < 50; page++) {
      note('instance', (await controller.fetch(list, { page }))[0] as Person)
      controller.read(byEmail, { email: `${page}` })
      controller.read(byEmail, { email: `nobody ${page}` })
    }
    await controller.fetch(failing).catch(() => {})
    await controller.fetch(early).catch(() => {})
    controller.set(Person, { id: 1 }, { boss: { id: 2 } as Person })
    controller.invalidate(list, { page: 3 })
    for (const table of store.tables.values()) {
      for (const node of table.nodes.values()) {
        note('record', node)
        for (const view of viewsOf(node)) note('view', view)
      }
      for (const view of table.lists.values()) note('list of all', view)
      for (let page = 1; page < 50; page++) {
        note('entry', (table.indexes.get('email') as RecordIndex).entry(String(page)))
      }
    }
    for (const row of [...store.results.values()].flat()) {
      note('row', row)
    }
    for (const table of store.lists!.tables) {
      // The group of lists that records own is empty here.
      if (table.nodes.size > 0) note('Collection', table)
      for (const node of table.nodes.values()) {
        note('list', node)
        note('view', node.view)
      }
    }
    ends.forEach((end) => end())
  }
  await use()
  for (let round = 0; round < 4; round++) pass(1001)
  await collectGarbage()
  const left = Object.entries(freed).map(([kind, targets]) => [
    kind,
    targets.length > 0,
    targets.filter((target) => target.deref() !== undefined).length,
  ])
  expect(left).toEqual(
    ['instance', 'record', 'view', 'list of all', 'entry', 'row', 'Collection', 'list'].map((kind) => [
      kind,
      true,
      0,
    ]),
  )
  expect([store.size, store.results.size, store.lists?.size ?? 0, timers.length]).toEqual([0, 0, 0, 0])
})

test('a Controller that is dropped without dispose is freed: its timer does not hold it (G6)', async () => {
  /** A separate function, so that no variable of the test retains the objects. */
  const use = () => {
    const controller = new Controller()
    controller.set(Todo, { id: 1 }, { title: 'kept for five minutes' })
    return new WeakRef(controller)
  }
  const dropped = use()
  await collectGarbage()
  expect(dropped.deref()).toBe(undefined)
})

test('a list of a million is stored and read', { timeout: 180_000 }, async () => {
  const size = 1_000_000
  const list = new Endpoint(() => Promise.resolve(Array.from({ length: size }, (_, id) => ({ id }))), {
    name: 'million',
    schema: [Todo],
  })
  const controller = new Controller()
  const todos = await controller.fetch(list)
  expect([todos.length, todos[size - 1]?.id]).toEqual([size, size - 1])
  controller.set(Todo, { id: 5 }, { title: 'changed' })
  expect(controller.read(list).data?.[5]?.title).toBe('changed')
})
