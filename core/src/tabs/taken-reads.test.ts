import { Channels } from '@selfsame/conformance/browser-tabs'
import { expect, onTestFinished, test } from 'vitest'
import { Controller, Counted, schema } from '../index.js'
import { createResource } from '../rest.js'
import { rule } from '../rules.js'
import { syncTabs } from '../tabs.js'
import { TestClock } from '../testing.js'
import { Todo, settle } from './testing-tabs.js'

interface Search {
  readonly q?: string
  readonly page?: number
}

/** Two tabs of an application whose list has a rule, and shows 2 todos of 57. */
async function openTabs() {
  const clock = new TestClock()
  const channels = new Channels()
  const rows = (ids: readonly number[], nextPage: number) => ({
    items: ids.map((id) => ({ id, title: `first ${id}` })),
    total: 57,
    nextPage,
  })
  let title = 'first 30'
  const respond = (url: string, { method }: RequestInit) => {
    if (method === 'PATCH') return { id: 50, title: 'x' }
    if (method === 'POST') return { id: 60, title: 'y' }
    if (url.includes('/30')) return { id: 30, title }
    if (url.includes('page=2')) return rows([3, 4], 3)
    return url.includes('q=') ? rows([30, 31], 2) : rows([1, 2], 2)
  }
  const open = (tab: number) => {
    const requests: string[] = []
    const items = new schema.Collection([Todo], {
      filter: rule((todo, { q }: Search) => q === undefined || todo.title.includes(q)),
    })
    const todos = createResource({
      path: '/todo/:id',
      schema: Todo,
      searchParams: {} as Search,
      fetchResponse: (url, init) => {
        requests.push(`${init.method ?? 'GET'} ${url}`)
        return Promise.resolve(Response.json(respond(url, init)))
      },
    }).extend(({ getList }) => ({
      getList: getList.extend({
        schema: new Counted({ items, total: 0, nextPage: null as number | null }, 'total'),
        paginationField: 'page',
      }),
    }))
    const channel = (name: string) => channels.open(tab, name)
    const controller = new Controller({
      clock,
      middleware: [syncTabs({ endpoints: [todos], channel, waitMs: 0 })],
    })
    onTestFinished(() => controller.dispose())
    const shown = () => {
      const { data, status } = controller.read(todos.getList)
      const ids = data?.items.map(({ id }) => id).join()
      return `${ids} of ${data?.total}, next ${data?.nextPage}, ${status}`
    }
    return { controller, todos, shown, requests }
  }
  const [a, b] = [open(1), open(2)]
  await settle()
  channels.deliverAll()
  for (const { controller, todos } of [a, b]) {
    await controller.fetch(todos.getList)
    channels.deliverAll()
    clock.advance(10)
  }
  expect([a.shown(), b.shown()]).toEqual(Array(2).fill('1,2 of 57, next 2, Valid'))
  const deliver = async () => {
    await settle()
    channels.deliverAll()
    await settle()
    clock.advance(10)
  }
  const rename = (next: string) => {
    title = next
  }
  return { a, b, deliver, rename }
}

test('what another tab reads joins no list of this one, which then loads its next page', async () => {
  const { a, b, deliver } = await openTabs()
  await a.controller.fetch(a.todos.getList, { q: 'first' })
  await deliver()
  expect(b.shown()).toBe('1,2 of 57, next 2, Valid')
  await a.controller.fetch(a.todos.getList.getPage, { page: 2 })
  await deliver()
  expect(a.shown()).toBe('1,2,3,4 of 57, next 3, Valid')
  expect(b.shown()).toBe('1,2 of 57, next 2, Valid')
  await b.controller.fetch(b.todos.getList.getPage, { page: 2 })
  expect(b.shown()).toBe('1,2,3,4 of 57, next 3, Valid')
})

test('what another tab changes of a record that this one does not know makes its list Stale, and what it creates joins', async () => {
  const { a, b, deliver } = await openTabs()
  await b.controller.fetch(b.todos.getList, { q: 'first' })
  await a.controller.fetch(a.todos.partialUpdate, { id: 50 }, { title: 'x' })
  await deliver()
  expect([a.shown(), b.shown()]).toEqual(Array(2).fill('1,2 of 57, next 2, Stale'))
  await a.controller.fetch(a.todos.create, { title: 'y' })
  await deliver()
  expect([a.shown(), b.shown()]).toEqual(Array(2).fill('1,2,60 of 58, next 2, Stale'))
})

test('a read of another tab takes a record out of a list that refuses it now', async () => {
  const { a, b, deliver, rename } = await openTabs()
  await b.controller.fetch(b.todos.getList, { q: 'first' })
  await deliver()
  rename('renamed')
  await a.controller.fetch(a.todos.get, { id: 30 })
  await deliver()
  const { data, status } = b.controller.read(b.todos.getList, { q: 'first' })
  expect([data?.items.map(({ id }) => id), data?.total, status]).toEqual([[31], 56, 'Valid'])
})
