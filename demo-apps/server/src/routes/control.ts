import { Hono } from 'hono'
import { z } from 'zod'
import { RequestError } from '../errors.js'
import { knobSetting, type Knob } from '../knob.js'
import type { RequestLog } from '../request-log.js'
import { parseBody, parseQuery } from '../validation.js'

interface Controls {
  readonly knob: Knob
  readonly log: RequestLog
  /** Puts the seeded records back. */
  readonly reseed: () => Promise<void>
}

const knobQuery = z.strictObject({ route: z.string().optional() })

/** The demo's own controls; neither the knob nor the log sees these requests. */
export function controlRoutes({ knob, log, reseed }: Controls): Hono {
  const routes = new Hono({ strict: false })

  routes.get('/_knob', (c) => c.json(knob.settings))

  routes.post('/_knob', async (c) => {
    const setting = await parseBody(c, knobSetting)
    knob.set(setting)
    return c.json(setting, 201)
  })

  routes.delete('/_knob', (c) => {
    const { route } = parseQuery(c, knobQuery)
    if (route === undefined) knob.clear()
    else if (!knob.delete(route)) throw new RequestError('not-found', `The knob is not set for "${route}".`)
    return c.body(null, 204)
  })

  routes.get('/_requests', (c) => c.json(log.requests))

  routes.delete('/_requests', (c) => {
    log.clear()
    return c.body(null, 204)
  })

  routes.post('/_reset', async (c) => {
    await reseed()
    knob.clear()
    log.clear()
    return c.body(null, 204)
  })

  return routes
}
