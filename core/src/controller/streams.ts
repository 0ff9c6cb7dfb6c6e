import type { EndpointLike, StreamSink } from '../endpoint/endpoint.js'
import type { ResultNode } from '../store/results.js'
import type { Controller } from './controller.js'

/** The calls that are kept fresh by what a server sends. All who are connected to one call share its stream. */
export class Streams {
  readonly #controller: Controller
  readonly #streams = new Map<ResultNode, Stream>()

  constructor(controller: Controller) {
    this.#controller = controller
  }

  /** @returns a function that ends it */
  connect(row: ResultNode, endpoint: () => EndpointLike, args: readonly unknown[]): () => void {
    let stream = this.#streams.get(row)
    if (stream === undefined) {
      this.#streams.set(row, (stream = new Stream(this.#controller, row, endpoint, args)))
      stream.open()
    }
    const joined = stream
    joined.connected++
    return () => {
      if (--joined.connected > 0 || this.#streams.get(row) !== joined) return
      this.#streams.delete(row)
      joined.end()
    }
  }

  /** Closes all streams at once, and opens those anew to which somebody is still connected in the next macrotask. */
  reopen(): void {
    const streams = [...this.#streams.values()]
    for (const stream of streams) stream.close()
    if (streams.length === 0) return
    this.#controller.clock.setTimeout(() => {
      for (const stream of streams) stream.open()
    }, 0)
  }

  /** Ends all of them. */
  end(): void {
    for (const stream of this.#streams.values()) stream.end()
    this.#streams.clear()
  }
}

/** One call that is kept fresh. */
class Stream {
  /** How many are connected. */
  connected = 0
  readonly #controller: Controller
  readonly #row: ResultNode
  readonly #endpoint: () => EndpointLike
  readonly #args: readonly unknown[]
  readonly #release: () => void
  #close: (() => void) | undefined
  #isEnded = false

  constructor(
    controller: Controller,
    row: ResultNode,
    endpoint: () => EndpointLike,
    args: readonly unknown[],
  ) {
    this.#controller = controller
    this.#row = row
    this.#endpoint = endpoint
    this.#args = args
    this.#release = controller.retain(row)
  }

  open(): void {
    if (this.#isEnded || this.#close !== undefined) return
    const endpoint = this.#endpoint()
    const sink = this.#createSink()
    const end = endpoint.stream?.(sink, ...(this.#args as never[]))
    this.#close = () => {
      sink.isOpen = false
      end?.()
    }
  }

  close(): void {
    this.#close?.()
    this.#close = undefined
  }

  end(): void {
    this.#isEnded = true
    this.close()
    this.#release()
  }

  /** What arrives after the stream was closed changes nothing. */
  #createSink(): StreamSink & { isOpen: boolean } {
    const controller = this.#controller
    const row = this.#row
    const args = this.#args as never[]
    const sink: StreamSink & { isOpen: boolean } = {
      isOpen: true,
      owner: controller,
      clock: controller.clock,
      receive: (response) => {
        if (sink.isOpen) controller.setResponse(this.#endpoint(), ...args, response as never)
      },
      set: (schema, params, value) => {
        if (sink.isOpen) controller.set(schema as never, params, value)
      },
      fail: (error) => {
        if (sink.isOpen) controller.setError(this.#endpoint(), ...args, error as never)
      },
      expire: () => {
        if (sink.isOpen) controller.expire(row)
      },
      batch: (change) => controller.batch(change),
    }
    return sink
  }
}
