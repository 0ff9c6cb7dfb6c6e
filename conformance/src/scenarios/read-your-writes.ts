import type { Middleware } from '@selfsame/core'
import { expect } from 'vitest'
import type { Todo } from '../fixtures.js'
import { todoFields } from '../fixtures.js'
import type { ServerRequest } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

// The recipe for a server whose reads come from a replica that lags behind its writes.

const lagMs = 2000

/** After a mutation, reads ask for the primary until the replica has caught up. */
const readYourWrites: Middleware = ({ clock }) => {
  let until = 0
  return {
    passesOn: true,
    async request(call, next) {
      if (call.kind === 'read') {
        if (clock.now() < until) call.headers['X-Read-From'] = 'primary'
        return next()
      }
      try {
        return await next()
      } finally {
        until = clock.now() + lagMs
      }
    },
  }
}

/** A primary and a replica. A change reaches the replica `lagMs` later. */
function startServer({ clock, server }: Stage) {
  let before = 'A'
  let now = before
  let changedAt = -Infinity
  const log: string[] = []
  server.route('GET /todo', ({ headers }: ServerRequest) => {
    const from = headers.get('x-read-from') ?? 'replica'
    log.push(from)
    const title = from === 'primary' || clock.now() >= changedAt + lagMs ? now : before
    return [todoFields(5, { title })]
  })
  server.route('PATCH /todo/5', ({ body }: ServerRequest) => {
    const { title } = body as { title: string }
    ;[before, now, changedAt] = [now, title, clock.now()]
    return todoFields(5, { title })
  })
  return log
}

for (const [name, middleware, titles] of [
  ['with it', [readYourWrites], ['New', 'New', 'New']],
  ['without it', [], ['New', 'A', 'New']],
] as const)
  scenario(
    `read your writes/${name}`,
    'reads after a mutation come from the primary, until the replica has caught up',
    async (stage) => {
      const { api, open, pass, settle } = stage
      const log = startServer(stage)
      const { controller, mount } = open({ middleware: [...middleware] })
      const reader = await mount('useSuspense', api.todo.getList)
      const title = () => (shown(reader) as readonly Todo[])[0]?.title
      await settle()
      await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'New' })
      await settle()
      const seen = [title()]
      await pass(lagMs / 2)
      await controller.fetch(api.todo.getList)
      await settle()
      seen.push(title())
      await pass(lagMs)
      await controller.fetch(api.todo.getList)
      await settle()
      seen.push(title())
      expect(seen).toEqual(titles)
      const between = middleware.length > 0 ? 'primary' : 'replica'
      expect(log).toEqual(['replica', between, 'replica'])
    },
  )
