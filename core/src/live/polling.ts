import type { Calls } from '../controller/calls.js'
import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'

/**
 * Keeps a call fresh by fetching it repeatedly. Each connection has a timer of its own, which every response
 * restarts, so the connection with the shortest `pollFrequency` sends the requests.
 *
 * @param endpoint - returns the current endpoint
 * @returns a function that ends the polling
 * @throws {SelfsameError} `argument-invalid` for an endpoint without `pollFrequency`
 */
export function poll(
  controller: Controller,
  call: Call,
  endpoint: () => EndpointLike,
  args: readonly unknown[],
): () => void {
  const { name, pollFrequency } = endpoint()
  if (pollFrequency === undefined || !(pollFrequency > 0)) throw errors.cannotConnect(name)
  const calls = callsOf(controller)
  const { clock } = calls
  let { fetching: wasFetching, renewals } = call
  /** Set while no request is in flight. */
  let timer: unknown

  const stopWaiting = () => clock.clearTimeout(timer)
  const wait = (ms: number) => {
    stopWaiting()
    if (!call.fetching) timer = clock.setTimeout(ask, ms)
  }
  const ask = () => {
    stopWaiting()
    const asked = endpoint()
    if (calls.isGivenUp(asked, call)) return wait(pollFrequency)
    const { answer } = calls.join(asked, args)
    wasFetching = true
    // The snapshot shows the error to readers.
    answer.promise.catch(() => {})
  }
  /** Called at each change of the call. A request of any origin may have ended. */
  const hear = () => {
    const isAnswered = wasFetching && !call.fetching
    wasFetching = call.fetching
    if (call.renewals !== renewals) {
      renewals = call.renewals
      ask()
    } else if (call.fetching) stopWaiting()
    else if (isAnswered) wait(pollFrequency)
  }

  call.listen(hear)
  calls.retain(call)
  const end = () => {
    stopWaiting()
    call.unlisten(hear)
    calls.release(call)
  }
  try {
    if (isDue(calls, endpoint(), call)) ask()
    else wait(leftMs(pollFrequency, call, clock.now()))
  } catch (error) {
    end()
    throw error
  }
  return end
}

/** True if a new connection fetches immediately, by the rules of a reader that mounts now. */
function isDue(calls: Calls, endpoint: EndpointLike, call: Call): boolean {
  if ((call.failure?.expiresAt ?? -Infinity) > calls.clock.now()) return false
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
