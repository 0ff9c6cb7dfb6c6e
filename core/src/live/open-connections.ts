import type { Controller } from '../controller/controller.js'
import type { LiveCalls } from '../controller/live-calls.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'
import { poll } from './polling.js'
import { Streams } from './streams.js'

/** The connected calls of a Controller, by a stream or by polling. */
export class OpenConnections implements LiveCalls {
  readonly #controller: Controller
  readonly #streams: Streams
  /** The functions that end the polls. */
  readonly #polls = new Set<() => void>()

  /** @param opensStreams - if false, opens no streams, as for a mock Controller @default true */
  constructor(controller: Controller, opensStreams = true) {
    this.#controller = controller
    this.#streams = new Streams(controller, opensStreams)
  }

  connect(call: Call, endpoint: () => EndpointLike, args: readonly unknown[]): () => void {
    if (endpoint().stream !== undefined) return this.#streams.connect(call, endpoint, args)
    const end = poll(this.#controller, call, endpoint, args)
    this.#polls.add(end)
    return () => {
      if (this.#polls.delete(end)) end()
    }
  }

  reopen(): void {
    this.#streams.reopen()
  }

  end(): void {
    this.#streams.end()
    for (const end of this.#polls) end()
    this.#polls.clear()
  }
}
