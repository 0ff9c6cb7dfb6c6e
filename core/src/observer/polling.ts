import { development } from '#development'
import type { Calls } from '../controller/calls.js'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { traceRequest } from '../controller/trace-request.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import { browserPage } from '../util/page-state.js'

/** The pace of one reader, in place of that of its endpoint. It fetches nothing before its first pause is over. */
export interface Pace {
  /** Returns the pause between an outcome and the next request, in milliseconds; `undefined` while there is none. */
  readonly lengthMs: () => number | undefined
  /** Returns `true` if the reader fetches. */
  readonly asks: () => boolean
  /** Calls a function when the pause changes. @returns a function that ends it */
  readonly watch: (tune: () => void) => () => void
}

/**
 * Keeps a call fresh by fetching it repeatedly. Each connection has a timer of its own, which every response
 * restarts, so the connection with the shortest `pollFrequency` sends the requests.
 *
 * @param endpoint - returns the current endpoint
 * @param pace - of one reader, which rests while the page is hidden @default the endpoint's `pollFrequency`
 * @returns a function that ends the polling
 * @throws {SelfsameError} `argument-invalid` for an endpoint without `pollFrequency`
 */
export function poll(
  controller: Controller,
  call: Call,
  endpoint: () => EndpointLike,
  args: readonly unknown[],
  pace?: Pace,
): () => void {
  const { name, pollFrequency } = endpoint()
  if (pace === undefined && !((pollFrequency ?? 0) > 0)) throw errors.cannotConnect(name)
  const lengthMs = () => (pace === undefined ? pollFrequency : pace.lengthMs())
  const calls = callsOf(controller)
  const { clock } = calls
  let wasFetching = call.fetching
  let { renewals, dueAt } = call.state
  /** Set while no request is in flight. */
  let timer: unknown
  let endRest: (() => void) | undefined

  const stopWaiting = () => {
    clock.clearTimeout(timer)
    endRest?.()
    endRest = undefined
  }
  const wait = (ms = lengthMs()) => {
    stopWaiting()
    if (ms !== undefined && !call.fetching) timer = clock.setTimeout(ask, ms)
  }
  const waitRest = () => {
    const ms = lengthMs()
    wait(ms && leftMs(ms, call, clock.now()))
  }
  const rest = () => {
    endRest = browserPage.subscribe(() => {
      if (browserPage.isVisible()) ask()
    })
  }
  const ask = () => {
    stopWaiting()
    const asked = endpoint()
    if (calls.isGivenUp(asked, call) || pace?.asks() === false) return wait()
    const restsHidden = pace !== undefined || asked.pollWhileHidden === false
    if (restsHidden && !browserPage.isVisible()) return rest()
    if (development) traceRequest(calls, call, asked, 'poll', undefined)
    const { answer } = calls.join(asked, args)
    wasFetching = true
    // The snapshot shows the error to readers.
    answer.promise.catch(() => {})
  }
  /** Called at each change of the call. A request of any origin may have ended. */
  const hear = () => {
    const isAnswered = wasFetching && !call.fetching
    wasFetching = call.fetching
    const isRenewed = call.state.renewals !== renewals
    const isExpired = call.state.dueAt !== dueAt && isDue(calls, endpoint(), call)
    ;({ renewals, dueAt } = call.state)
    if (isRenewed || isExpired) {
      if (pace === undefined) ask()
    } else if (call.fetching) stopWaiting()
    else if (isAnswered) wait()
  }

  call.listen(hear)
  calls.retain(call)
  const endWatch = pace?.watch(waitRest)
  const end = () => {
    endWatch?.()
    stopWaiting()
    call.unlisten(hear)
    calls.release(call)
  }
  try {
    if (pace === undefined && isDue(calls, endpoint(), call)) ask()
    else waitRest()
  } catch (error) {
    end()
    throw error
  }
  return end
}

/** True if a new connection fetches immediately, by the rules of a reader that mounts now. */
function isDue(calls: Calls, endpoint: EndpointLike, call: Call): boolean {
  if ((call.state.failure?.expiresAt ?? -Infinity) > calls.clock.now()) return false
  const { isReadable } = call.snapshot()
  if (isReadable && calls.isUnclaimed(call)) return false
  return calls.status(endpoint, call) !== 'Valid'
}

/** The first wait of a new connection, counted from the last response, in milliseconds. */
function leftMs(pollFrequency: number, { error, age }: Call, now: number): number {
  const isUnanswered = error !== undefined || age.fetchedAt === -Infinity
  const since = isUnanswered ? now : age.fetchedAt
  // A `fetchedAt` in the future (the clock was set back) must not lengthen the wait.
  return Math.min(pollFrequency, Math.max(0, since + pollFrequency - now))
}
