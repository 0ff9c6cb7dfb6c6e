import { expect, test } from 'vitest'
import { dehydrate, hydrate } from '../hydration.js'
import { Controller, Counted, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { rule } from '../rules.js'

class Task extends Entity {
  id = 0
  title = ''
  static override key = 'Task'
}

/** A list of 2 tasks of 57. */
function setUp(options: object = {}) {
  const resource = createResource({
    path: '/task/:id',
    schema: Task,
    optimistic,
    fetchResponse: async (_url, { body }) => Response.json(JSON.parse(body as string)),
    ...options,
  })
  const items = new schema.Collection([Task], { filter: rule(() => true), ...options })
  const getList = resource.getList.extend({ schema: new Counted({ items, total: 0 }, 'total') })
  const controller = new Controller()
  const shown = (from = controller) => {
    const { data, status } = from.read(getList)
    return `${data?.items.map(({ id }) => id).join()} of ${data?.total} ${status}`
  }
  const load = (ids: readonly number[], total: number) =>
    controller.setResponse(getList, { items: ids.map((id) => ({ id })), total } as never)
  return { ...resource, getList, controller, shown, load }
}

test('a change that is expected of a record that nobody knows shows none in a part of a list', async () => {
  const { controller, partialUpdate, shown, load } = setUp()
  load([1, 2], 57)
  const sent = controller.fetch(partialUpdate, { id: 30 }, { id: 30, title: 'x' } as object)
  expect(shown()).toBe('1,2 of 57 Valid')
  await sent
  expect(shown()).toBe('1,2 of 57 Stale')
})

test('a hydrated list is still a part', () => {
  const { controller, getList, shown, load } = setUp()
  load([1, 2], 57)
  const page = new Controller()
  hydrate(page, JSON.parse(JSON.stringify(dehydrate(controller))) as never)
  page.read(getList)
  page.set(Task, { id: 30 }, { title: 'x' })
  expect(shown(page)).toBe('1,2 of 57 Stale')
})

test('lists that share their members by argsKey are a part, too', () => {
  const { controller, shown, load } = setUp({ argsKey: () => ({}) })
  load([1, 2], 57)
  controller.set(Task, { id: 30 }, { title: 'x' })
  expect(shown()).toBe('1,2 of 57 Stale')
})

test('a list that a deletion has made shorter is a part as before, and one whose last record was loaded is not', () => {
  const { controller, shown, load } = setUp()
  load([1, 2, 3], 3)
  controller.set(new schema.Delete(Task), { id: 2 }, {})
  controller.set(Task, { id: 30 }, { title: 'x' })
  expect(shown()).toBe('1,3,30 of 3 Valid')
  load([1, 2, 3], 4)
  controller.set(new schema.Delete(Task), { id: 2 }, {})
  controller.set(Task, { id: 31 }, { title: 'x' })
  expect(shown()).toBe('1,3 of 3 Stale')
})
