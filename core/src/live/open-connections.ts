import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { LiveCalls } from '../controller/live-calls.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'
import { poll } from '../observer/polling.js'
import { Stream } from './stream.js'

/** The connected calls of a Controller, by a stream or by polling. All connections of one call share its stream. */
export class OpenConnections implements LiveCalls {
  readonly #controller: Controller
  readonly #opensStreams: boolean
  /** The functions that end the polls. */
  readonly #polls = new Set<() => void>()
  readonly #streams = new Map<Call, Stream>()
  /** Aborted by the next reset; `undefined` while no stream belongs to it. */
  #session: AbortController | undefined
  /** The position in the store's sequence at which the last reader of each call disconnected. */
  #leftAt = new WeakMap<Call, number>()
  /** Timers that set `#leftAt`. A reader that reconnects in the same task, as in StrictMode, has missed nothing. */
  readonly #leaving = new Map<Call, unknown>()
  #reopening: unknown = undefined

  /** @param opensStreams - if false, opens no streams, as for a mock Controller @default true */
  constructor(controller: Controller, opensStreams = true) {
    this.#controller = controller
    this.#opensStreams = opensStreams
  }

  connect(call: Call, endpoint: () => EndpointLike, args: readonly unknown[]): () => void {
    if (endpoint().stream !== undefined) return this.#joinStream(call, endpoint, args)
    const end = poll(this.#controller, call, endpoint, args)
    this.#polls.add(end)
    return () => {
      if (this.#polls.delete(end)) end()
    }
  }

  /** Closes all streams immediately. In the next macrotask, reopens those that still have readers. */
  reopen(): void {
    const streams = [...this.#streams.values()]
    this.#endSession()
    for (const stream of streams) stream.close()
    if (streams.length === 0) return
    const { clock } = this.#controller
    clock.clearTimeout(this.#reopening)
    this.#reopening = clock.setTimeout(() => {
      for (const stream of this.#streams.values()) {
        try {
          this.#open(stream)
        } catch (error) {
          // There is no caller to throw to. The call gets the error, and the other streams are opened.
          stream.fail(error as Error)
        }
      }
    }, 0)
  }

  end(): void {
    this.#controller.clock.clearTimeout(this.#reopening)
    this.#endSession()
    for (const stream of this.#streams.values()) stream.end()
    this.#streams.clear()
    for (const end of this.#polls) end()
    this.#polls.clear()
  }

  #joinStream(call: Call, endpoint: () => EndpointLike, args: readonly unknown[]): () => void {
    const known = this.#streams.get(call)
    const stream = known ?? new Stream(this.#controller, call, endpoint, args)
    // Before it is opened: a listener of its first message may connect too, or reset the Controller.
    this.#streams.set(call, stream)
    stream.connected++
    if (known === undefined) this.#stopLeaving(call)
    try {
      // If the stream could not be opened after a reset, the next reader that joins retries.
      this.#open(stream, known === undefined ? this.#leftAt.get(call) : undefined)
    } catch (error) {
      this.#part(call, stream)
      throw error
    }
    return () => {
      if (this.#part(call, stream)) this.#leave(call)
    }
  }

  /** Ends a stream with its last reader. @returns true if it did */
  #part(call: Call, stream: Stream): boolean {
    if (--stream.connected > 0 || this.#streams.get(call) !== stream) return false
    this.#streams.delete(call)
    stream.end()
    return true
  }

  #open(stream: Stream, leftAt?: number): void {
    if (!this.#opensStreams) return
    this.#session ??= new AbortController()
    stream.open(this.#session.signal, leftAt)
  }

  #endSession(): void {
    this.#session?.abort()
    this.#session = undefined
    for (const call of [...this.#leaving.keys()]) this.#stopLeaving(call)
    // A reset drops all data, so no messages are missing.
    this.#leftAt = new WeakMap()
  }

  #leave(call: Call): void {
    const { clock } = this.#controller
    const leftAt = callsOf(this.#controller).store.nextSequence()
    const left = clock.setTimeout(() => {
      this.#leaving.delete(call)
      this.#leftAt.set(call, leftAt)
    }, 0)
    this.#leaving.set(call, left)
  }

  #stopLeaving(call: Call): void {
    this.#controller.clock.clearTimeout(this.#leaving.get(call))
    this.#leaving.delete(call)
  }
}
