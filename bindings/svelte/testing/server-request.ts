import { ManualClock } from '@selfsame/conformance/clock'
import { createApi, routeSamples } from '@selfsame/conformance/fixtures'
import { Server, reply } from '@selfsame/conformance/server'
import { createServerRequest } from '../src/ssr.js'
import type { RenderPageOptions, ServerRequestOptions } from '../src/ssr.js'
import * as hooks from '../src/index.js'
import ServerStage from './ServerStage.svelte'

export { hooks, reply }

/** Opens a request to a server. Its `render` renders the given setups, each in a boundary of its own. */
export function openRequest(options: ServerRequestOptions = {}) {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  const request = createServerRequest({ ...options, clock })
  return {
    api: createApi(server),
    clock,
    request,
    server,
    async render(
      setups: readonly (() => () => unknown)[],
      given: Omit<RenderPageOptions<Record<string, unknown>>, 'props'> & {
        readonly showsErrors?: boolean
      } = {},
    ) {
      const { showsErrors = true, ...renderOptions } = given
      const page = await request.render(ServerStage, { ...renderOptions, props: { setups, showsErrors } })
      const text = page.body
        .replace(/<!--.*?-->/gs, '')
        .replace(/\s*<[^>]*>\s*/g, '|')
        .replace(/\|+/g, '|')
      return { ...page, text }
    },
  }
}
