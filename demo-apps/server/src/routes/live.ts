import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { changeKinds, type Changes } from '../live/changes.js'
import type { Ticker } from '../live/ticker.js'
import type { ViewCount, Views } from '../live/views.js'
import { notFound } from '../errors.js'
import { parseBody, parseId, parseQuery } from '../validation.js'

const kindQuery = z.strictObject({ kind: z.enum(changeKinds) })
const burst = z.strictObject({ ticks: z.int().min(1).max(100_000) })

interface LiveRoutesOptions {
  readonly changes: Changes
  readonly ticker: Ticker
  readonly views: Views
}

/** Server-sent events, and prices on request. The WebSocket is in `live/sockets.ts`. */
export function liveRoutes({ changes, ticker, views }: LiveRoutesOptions): Hono {
  const routes = new Hono({ strict: false })
  let sequence = 0

  /** Changes of one kind, named `created`, `updated` and `deleted`. */
  routes.get('/events', (c) => {
    const { kind } = parseQuery(c, kindQuery)
    return streamSSE(c, async (stream) => {
      const aborted = new Promise<void>((resolve) => stream.onAbort(resolve))
      const end = changes.subscribe((change) => {
        if (change.kind !== kind) return
        const data = JSON.stringify(change.record)
        void stream.writeSSE({ event: change.type, data, id: String(++sequence) })
      })
      // Starts the response, so that the client knows that it is subscribed.
      await stream.write(': ready\n\n')
      await aborted
      end()
    })
  })

  /** Counts a view of an article, and streams later counts while it is open. */
  routes.get('/article/:id/views', async (c) => {
    const id = parseId(c)
    const counted = await views.add(id)
    if (counted === undefined) throw notFound('article', id)
    return streamSSE(c, async (stream) => {
      const aborted = new Promise<void>((resolve) => stream.onAbort(resolve))
      const tell = (count: ViewCount) => stream.writeSSE({ event: 'views', data: JSON.stringify(count) })
      const end = views.subscribe(id, (count) => void tell(count))
      await tell(counted)
      await aborted
      end()
    })
  })

  routes.get('/ticker', (c) => c.json(ticker.prices))

  /** Sends many prices together. */
  routes.post('/_ticker', async (c) => {
    const { ticks } = await parseBody(c, burst)
    for (let index = 0; index < ticks; index++) ticker.tick()
    return c.json(ticker.prices, 201)
  })

  return routes
}
