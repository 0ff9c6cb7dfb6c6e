import { ManualClock, ManualNetwork, ManualPage, Server, baseUrl, reply } from '@selfsame/conformance'
import { onTestFinished } from 'vitest'
import { Controller, Entity } from '../index.js'
import { Observer } from '../bindings.js'
import type { EndpointLike, Middleware } from '../index.js'
import { RestEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'

export { ManualNetwork, ManualPage, reply }

export class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** A Controller with the given middleware and a scripted server. `GET /todo/5` has a response. */
export function createStage(...middleware: readonly Middleware[]) {
  const clock = new ManualClock()
  const server = new Server(clock)
  const controller = new Controller({ clock, middleware })
  class ScriptedEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return server.fetch(url, init)
    }
  }
  const api = createResource({
    urlPrefix: baseUrl,
    path: '/todo/:id',
    schema: Todo,
    Endpoint: ScriptedEndpoint,
  })
  for (const id of [5, 6]) server.route(`GET /todo/${id}`, { id, title: `Todo ${id}` })
  server.route('PATCH /todo/5', { id: 5, title: 'Saved' })
  onTestFinished(() => controller.dispose())
  return {
    clock,
    server,
    controller,
    api,
    settle,
    /** Advances the clock, and waits for the effects. */
    async pass(ms: number) {
      clock.advance(ms)
      await settle()
    },
    /** Mounts a reader that fetches, and waits for its response. */
    async mount(endpoint: EndpointLike, ...args: readonly unknown[]) {
      const observer = new Observer(controller, endpoint, args)
      const read = () => {
        const reading = observer.readOrFetch()
        if (reading.state === 'success') observer.fetchIfDue()
        return reading
      }
      read()
      const ends = [observer.retain(), observer.subscribe(() => void read())]
      await settle()
      // From the next macrotask on, normal expiry applies to its data.
      clock.advance(0)
      await settle()
      return { read, observer, unmount: () => ends.forEach((end) => end()) }
    },
  }
}
