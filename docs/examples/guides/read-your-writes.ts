// read-your-writes.ts
import type { Middleware } from '@selfsame/core'

export const readYourWrites =
  (lagMs: number): Middleware =>
  ({ clock }) => {
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
          // Its response may be lost, and the change made all the same.
          until = clock.now() + lagMs
        }
      },
    }
  }
