import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Todo, createTabs, settle } from './testing-tabs.js'

const tab = fc.constantFrom(1, 2, 3)
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('list' as const, 'detail' as const), tab }),
  fc.record({
    do: fc.constantFrom('patch' as const, 'patch' as const, 'create' as const, 'delete' as const),
    tab,
  }),
  fc.record({ do: fc.constantFrom('handle' as const, 'answer' as const), tab }),
  fc.record({ do: fc.constantFrom('handle' as const, 'answer' as const), tab }),
  fc.record({ do: fc.constant('deliver' as const), tab, to: tab }),
  fc.record({ do: fc.constantFrom('push' as const, 'expire' as const, 'update' as const), tab }),
)

/**
 * Tabs read and write at random, and the server handles and answers in the order of each tab, but not of all; messages come late.
 * While nothing is under way, the server changes a record by itself and pushes it to one tab. When all has arrived, and what is Stale was
 * fetched, each tab has what the server has: no wrong data is Valid.
 */
test('all tabs agree with the server in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const { channels, clock, open, serve, truth } = createTabs()
      const tabs = new Map<number, ReturnType<typeof open>>()
      for (const number of [1, 2, 3]) {
        tabs.set(number, open(number))
        await settle()
      }
      channels.deliverAll()
      for (const [number, { controller, todos }] of tabs) {
        void controller.fetch(todos.getList)
        await serve(number)
        clock.advance(1)
      }
      channels.deliverAll()
      const quiet = (asked: Promise<unknown>) => void asked.catch(() => {})
      const isIdle = () => [...truth.waiting.values()].every((waiting) => waiting.length === 0)
      /** Answers all requests, delivers all messages, and lets the tabs wait for each other. */
      const finish = async () => {
        for (let round = 0; round < 8; round++) {
          for (const number of tabs.keys()) await serve(number)
          channels.deliverAll()
          clock.advance(25)
          await settle()
        }
      }
      let made = 0
      for (const each of steps) {
        clock.advance(1)
        const { controller, todos } = tabs.get(each.tab)!
        const ids = [...truth.todos.keys()]
        const id = ids[(made * 7 + each.tab) % Math.max(1, ids.length)] ?? 1
        const title = `made ${made}`
        if (each.do === 'list') quiet(controller.fetch(todos.getList))
        else if (each.do === 'detail') quiet(controller.fetch(todos.get, { id }))
        else if (each.do === 'patch') quiet(controller.fetch(todos.partialUpdate, { id }, { title }))
        else if (each.do === 'create') quiet(controller.fetch(todos.getList.push, { title } as never))
        else if (each.do === 'delete') quiet(controller.fetch(todos.delete, { id }))
        else if (each.do === 'expire') controller.expireAll(todos.getList)
        else if (each.do === 'push') {
          const changed = { id, title }
          if (!isIdle() || !truth.todos.has(id)) continue
          truth.todos.set(id, changed)
          callsOf(controller).receive(() => controller.set(Todo, { id }, changed))
        } else if (each.do === 'update') {
          // What it does not change is not written.
          controller.set(Todo, { id }, (todo) => ({ title: todo?.title ?? '' }))
        } else if (each.do === 'handle') truth.handle(each.tab)
        else if (each.do === 'answer') truth.answer(each.tab)
        else if ('to' in each) channels.deliver(each.tab, each.to)
        made++
        await settle()
      }
      await finish()
      for (let round = 0; round < 5; round++) {
        for (const [, { controller, todos, status }] of tabs) {
          clock.advance(1)
          if (status() !== 'Valid') quiet(controller.fetch(todos.getList))
        }
        await finish()
      }
      const expected = [...truth.todos.values()].map(({ id, title }) => [id, title]).sort()
      for (const [number, { controller, titles, status }] of tabs) {
        expect([number, status(), titles().sort()]).toEqual([number, 'Valid', expected])
        for (const [id, title] of expected)
          expect(controller.get(Todo, { id: id as number })?.title).toBe(title)
        controller.dispose()
      }
    }),
    { numRuns: Number(process.env['TABS_RUNS'] ?? 60) },
  )
})
