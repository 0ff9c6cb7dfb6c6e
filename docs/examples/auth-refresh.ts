import type { Middleware } from '@selfsame/core'

/**
 * When a server says that the session is over (401), renews the session and
 * sends the request again: once for all requests that failed together.
 *
 * @param renew - gets a new token; not through the Controller, or its own 401
 *   would wait for itself
 */
export function renewSession(renew: () => Promise<void>): Middleware {
  return () => {
    /**
     * Counts renewals, so that a late 401 to an old token does not cause
     * another one.
     */
    let sessions = 0
    let renewing: Promise<void> | undefined

    async function renewOnce(): Promise<void> {
      renewing ??= renew().finally(() => (renewing = undefined))
      await renewing
      sessions++
    }

    return {
      passesOn: true,
      async request(_call, next) {
        const session = sessions
        try {
          return await next()
        } catch (error) {
          if ((error as { status?: unknown }).status !== 401) throw error
          if (session === sessions) {
            // Who cannot be signed in again gets the 401, not the reason why.
            await renewOnce().catch(() => {
              throw error
            })
          }
          return next()
        }
      },
    }
  }
}
