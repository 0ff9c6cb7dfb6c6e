import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { OpenStream } from '../controller/live-calls.js'
import { traceRequest } from '../controller/trace-request.js'
import type { EndpointLike, StreamSink } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'
import { report } from '../util/report.js'

const openStream: OpenStream = (endpoint, sink, args) => endpoint.stream?.(sink, ...(args as never[]))

/** The stream of one call. */
export class Stream {
  /** The number of connected readers. */
  connected = 0
  readonly #controller: Controller
  readonly #call: Call
  readonly #endpoint: () => EndpointLike
  readonly #args: readonly unknown[]
  /** The call's `dueAt` when it was looked at last; `undefined` if it had no data then. */
  #dueAt: number | undefined
  #close: (() => void) | undefined
  #isEnded = false

  constructor(controller: Controller, call: Call, endpoint: () => EndpointLike, args: readonly unknown[]) {
    this.#controller = controller
    this.#call = call
    this.#endpoint = endpoint
    this.#args = args
    this.#dueAt = dueAtOf(call)
    call.listen(this.#fetchIfDue)
    callsOf(controller).retain(call)
  }

  /** Fetches data that was made Stale, as a reader on screen does: there may be none. Data of an earlier visit comes Stale. */
  readonly #fetchIfDue = () => {
    const call = this.#call
    const before = this.#dueAt
    this.#dueAt = dueAtOf(call)
    if (before === undefined || this.#dueAt === undefined || before === this.#dueAt) return
    const calls = callsOf(this.#controller)
    const endpoint = this.#endpoint()
    if (calls.isGivenUp(endpoint, call) || calls.status(endpoint, call) === 'Valid') return
    if (development) traceRequest(calls, call, endpoint, 'expired', undefined)
    // The snapshot shows the error to readers.
    calls.join(endpoint, this.#args).answer.promise.catch(() => {})
  }

  /**
   * @param session - aborted by the next reset
   * @param leftAt - the position in the store's sequence at which the last reader of the call disconnected
   */
  open(session: AbortSignal, leftAt: number | undefined): void {
    if (this.#isEnded || this.#close !== undefined) return
    const endpoint = this.#endpoint()
    const sink = this.#createSink(session, leftAt)
    let end: (() => void) | undefined
    // An error of `end` is reported, so that a reset closes the other streams too.
    const close = () => {
      sink.isOpen = false
      report(() => end?.())
    }
    this.#close = close
    try {
      const { shareStream = openStream } = callsOf(this.#controller)
      end = shareStream(endpoint, sink, this.#args, this.#call.key)
    } catch (error) {
      this.close()
      throw error
    }
    // A listener of its first message has reset the Controller.
    if (!sink.isOpen) close()
  }

  close(): void {
    this.#close?.()
    this.#close = undefined
  }

  end(): void {
    this.#isEnded = true
    this.close()
    this.#call.unlisten(this.#fetchIfDue)
    callsOf(this.#controller).release(this.#call)
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
      inboxes: callsOf(controller).inboxes,
      session,
      clock: controller.clock,
      get hasGap() {
        // What was requested before may be answered later, without what was changed since.
        return leftAt !== undefined && (call.attempt ?? call.age).start < leftAt
      },
      receive: (response) => {
        if (!sink.isOpen) return
        callsOf(controller).receive(() =>
          controller.setResponse(this.#endpoint(), ...args, response as never),
        )
      },
      set: (schema, params, value) => {
        if (sink.isOpen) callsOf(controller).receive(() => controller.set(schema, params, value))
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

function dueAtOf(call: Call): number | undefined {
  return call.snapshot().isReadable ? call.state.dueAt : undefined
}
