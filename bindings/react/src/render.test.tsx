import { TestClock } from '@selfsame/core/testing'
import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AsyncBoundary } from './AsyncBoundary.js'
import { render } from './testing.js'
import { useSuspense } from './use-suspense.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const todoResource = createResource({ path: '/todo/:id', schema: Todo })
const fixture = {
  endpoint: todoResource.get,
  args: [{ id: 5 }],
  response: { id: 5, title: 'Write' },
} as const

function Title({ id }: { readonly id: number }) {
  return <h1>{useSuspense(todoResource.get, { id }).title}</h1>
}

const page = (id: number) => (
  <AsyncBoundary fallback="Loading" errorFallback={({ error }) => error.message}>
    <Title id={id} />
  </AsyncBoundary>
)

let report: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  report = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => report.mockRestore())

test('render() shows a component that suspends, without a word on the console', async () => {
  const { container, requests, unmount } = await render(page(5), { fixtures: [fixture], isStrict: true })
  expect(container.innerHTML).toBe('<h1>Write</h1>')
  expect(document.body.contains(container)).toBe(true)
  expect(requests).toHaveLength(1)
  await unmount()
  expect(document.body.contains(container)).toBe(false)
  expect(report).not.toHaveBeenCalled()
})

test('an answer that waits for time shows the fallback until then', async () => {
  const clock = new TestClock()
  const { container, settle, unmount } = await render(page(5), {
    clock,
    fixtures: [{ ...fixture, delayMs: 300 }],
  })
  expect(container.textContent).toBe('Loading')
  clock.advance(300)
  await settle()
  expect(container.textContent).toBe('Write')
  await unmount()
  expect(clock.timers).toBe(0)
})

test('another element takes its place', async () => {
  const second = { endpoint: todoResource.get, args: [{ id: 6 }], error: new Error('Offline') } as const
  const { container, rerender, unmount } = await render(page(5), { fixtures: [fixture, second] })
  await rerender(page(6))
  expect(container.textContent).toBe('Offline')
  await unmount()
})

test('what happens between two steps is shown after settle(), and React warns of nothing', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const { container, controller, settle, unmount } = await render(page(5), { fixtures: [fixture] })
  controller.set(Todo, { id: 5 }, { title: 'Rewrite' })
  await settle()
  expect(container.textContent).toBe('Rewrite')
  await unmount()
  expect(report).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
