import { setTimeout as delay } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { z } from 'zod'

/** How the knob treats the requests of one route. */
export const knobSetting = z
  .strictObject({
    /** `'GET /article'`, `'/article/:id'` (any method) or `'/api/*'`. */
    route: z
      .string()
      .regex(/^([A-Z]+ )?\/[\w:*./-]*$/, 'must look like "GET /article", "/article/:id" or "/api/*"'),
    /** Milliseconds before the request goes on. @default 0 */
    delayMs: z.int().min(0).max(60_000).optional(),
    /** Respond with this status in place of the route's response. */
    status: z.int().min(400).max(599).optional(),
    /** Ends after this many requests. @default unlimited */
    times: z.int().min(1).optional(),
  })
  .refine((setting) => setting.delayMs !== undefined || setting.status !== undefined, {
    message: 'needs a delayMs, a status, or both',
  })

export type KnobSetting = z.infer<typeof knobSetting>

/** Slows or fails chosen routes, for a number of requests or until further notice. */
export class Knob {
  readonly #settings = new Map<string, KnobSetting>()

  get settings(): KnobSetting[] {
    return [...this.#settings.values()]
  }

  /** Replaces an earlier setting of the same route. */
  set(setting: KnobSetting): void {
    this.#settings.delete(setting.route)
    this.#settings.set(setting.route, setting)
  }

  /** @returns true if the route had a setting */
  delete(route: string): boolean {
    return this.#settings.delete(route)
  }

  clear(): void {
    this.#settings.clear()
  }

  /** The setting for a request, which counts against its `times`; of several that match, the newest. */
  take(method: string, path: string): KnobSetting | undefined {
    const setting = this.settings.toReversed().find(({ route }) => matches(route, method, path))
    if (setting?.times === undefined) return setting
    if (setting.times === 1) this.#settings.delete(setting.route)
    else this.#settings.set(setting.route, { ...setting, times: setting.times - 1 })
    return setting
  }
}

export function knobMiddleware(knob: Knob): MiddlewareHandler {
  return async (c, next) => {
    const setting = knob.take(c.req.method, c.req.path)
    if (setting?.delayMs !== undefined) {
      const gone = await delay(setting.delayMs, false, { signal: c.req.raw.signal }).catch(() => true)
      // The client disconnected, or the server is closing, so the response reaches no one.
      if (gone) return new Response(null, { status: 499 })
    }
    if (setting?.status === undefined) return next()
    const message = `The knob answers ${setting.route} with ${setting.status}. DELETE /_knob ends that.`
    return Response.json({ error: 'knob', message }, { status: setting.status })
  }
}

function matches(route: string, method: string, path: string): boolean {
  const [pattern = '', routeMethod = 'ALL'] = route.split(' ').toReversed()
  const router = new TrieRouter<true>()
  router.add(routeMethod, withoutTrailingSlash(pattern), true)
  return router.match(method, withoutTrailingSlash(path))[0].length > 0
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '')
}
