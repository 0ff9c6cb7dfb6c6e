// @vitest-environment node
import { listenersOf, retainersOf } from '@selfsame/conformance'
import { ManualClock } from '@selfsame/conformance/clock'
import { Server } from '@selfsame/conformance/server'
import { createApi, routeSamples } from '@selfsame/conformance/fixtures'
import { Controller } from '@selfsame/core'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  DataProvider,
  useCancelling,
  useDebounce,
  useLast,
  useLoading,
  usePrefetch,
  useStatus,
} from './index.js'

test('on a server the small hooks start nothing', async () => {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  const { todo } = createApi(server)
  const controller = new Controller({ clock })
  await controller.fetch(todo.get, { id: 6 })
  clock.advance(60_000)
  const { timers } = clock
  function Page() {
    const { value: text, pending: isPending } = useDebounce('a', 300)
    const last = useLast(todo.get, { id: 5 })
    const { fetching, stale, updatedAt } = useStatus(todo.get, { id: 6 })
    const { run, loading } = useLoading(useCancelling(todo.get, { id: 5 }))
    const { onIntent } = usePrefetch(todo.get, { id: 5 })
    return (
      <p ref={onIntent} onClick={() => run({ id: 5 })}>
        {[text, isPending, last.loading, last.isLast, fetching, stale, updatedAt, loading]
          .map(String)
          .join(' ')}
      </p>
    )
  }
  const html = renderToString(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  )
  expect(html).toBe('<p>a false true false false false undefined false</p>')
  await new Promise((resolve) => setTimeout(resolve))
  expect(server.requests).toEqual(['GET /todo/6'])
  expect(clock.timers).toBe(timers)
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})
