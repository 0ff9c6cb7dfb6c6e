import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import type { EndpointLike, StreamSink } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'

/** The calls that are kept fresh by streams. All connections of one call share its stream. */
export class Streams {
  readonly #controller: Controller
  readonly #opensStreams: boolean
  readonly #streams = new Map<Call, Stream>()
  /** Aborted by the next reset; `undefined` while no stream belongs to it. */
  #session: AbortController | undefined
  /** When the last reader of each call disconnected, in milliseconds since the epoch. */
  #leftAt = new WeakMap<Call, number>()
  /** Timers that set `#leftAt`. A reader that reconnects in the same task, as in StrictMode, has missed nothing. */
  readonly #leaving = new Map<Call, unknown>()
  #reopening: unknown = undefined

  constructor(controller: Controller, opensStreams: boolean) {
    this.#controller = controller
    this.#opensStreams = opensStreams
  }

  /** @returns a function that disconnects */
  connect(call: Call, endpoint: () => EndpointLike, args: readonly unknown[]): () => void {
    let stream = this.#streams.get(call)
    if (stream === undefined) {
      stream = new Stream(this.#controller, call, endpoint, args)
      this.#stopLeaving(call)
      try {
        this.#open(stream, this.#leftAt.get(call))
      } catch (error) {
        stream.end()
        throw error
      }
      this.#streams.set(call, stream)
      // If the stream could not be opened after a reset, the next reader that joins retries.
    } else this.#open(stream, undefined)
    const joined = stream
    joined.connected++
    return () => {
      if (--joined.connected > 0 || this.#streams.get(call) !== joined) return
      this.#streams.delete(call)
      this.#leave(call)
      joined.end()
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
          this.#open(stream, undefined)
        } catch (error) {
          // There is no caller to throw to. The call gets the error, and the other streams are opened.
          stream.fail(error as Error)
        }
      }
    }, 0)
  }

  /** Ends all streams. */
  end(): void {
    this.#controller.clock.clearTimeout(this.#reopening)
    this.#endSession()
    for (const stream of this.#streams.values()) stream.end()
    this.#streams.clear()
  }

  #open(stream: Stream, leftAt: number | undefined): void {
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
    const leftAt = clock.now()
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

/** The stream of one call. */
class Stream {
  /** The number of connected readers. */
  connected = 0
  readonly #controller: Controller
  readonly #call: Call
  readonly #endpoint: () => EndpointLike
  readonly #args: readonly unknown[]
  readonly #release: () => void
  #close: (() => void) | undefined
  #isEnded = false

  constructor(controller: Controller, call: Call, endpoint: () => EndpointLike, args: readonly unknown[]) {
    this.#controller = controller
    this.#call = call
    this.#endpoint = endpoint
    this.#args = args
    this.#release = callsOf(controller).retain(call)
  }

  /**
   * @param session - aborted by the next reset
   * @param leftAt - when the last reader of the call disconnected, in milliseconds since the epoch
   */
  open(session: AbortSignal, leftAt: number | undefined): void {
    if (this.#isEnded || this.#close !== undefined) return
    const endpoint = this.#endpoint()
    const sink = this.#createSink(session, leftAt)
    try {
      const end = endpoint.stream?.(sink, ...(this.#args as never[]))
      this.#close = () => {
        sink.isOpen = false
        end?.()
      }
    } catch (error) {
      sink.isOpen = false
      throw error
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

  fail(error: Error): void {
    this.#controller.setError(this.#endpoint(), ...(this.#args as never[]), error as never)
  }

  /** Creates the sink of the stream. It ignores messages after the stream was closed. */
  #createSink(session: AbortSignal, leftAt: number | undefined): StreamSink & { isOpen: boolean } {
    const controller = this.#controller
    const call = this.#call
    const args = this.#args as never[]
    const sink: StreamSink & { isOpen: boolean } = {
      isOpen: true,
      name: this.#endpoint().name,
      owner: controller,
      session,
      clock: controller.clock,
      get hasGap() {
        return leftAt !== undefined && !call.fetching && call.age.fetchedAt <= leftAt
      },
      receive: (response) => {
        if (sink.isOpen) controller.setResponse(this.#endpoint(), ...args, response as never)
      },
      set: (schema, params, value) => {
        if (sink.isOpen) controller.set(schema as never, params, value)
      },
      fail: (error) => {
        if (sink.isOpen) this.fail(error)
      },
      expire: () => {
        if (sink.isOpen) callsOf(controller).expire(call)
      },
      batch: (change) => controller.batch(change),
    }
    return sink
  }
}
