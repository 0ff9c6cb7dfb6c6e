import type { Calls } from '../controller/calls.js'
import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'

/**
 * Keeps a call fresh by asking again and again. Each connection has a timer of its own, which starts anew with each response.
 * So of several that are connected to one call the one with the shortest `pollFrequency` asks.
 *
 * @param endpoint - the endpoint as it is now
 * @returns a function that ends it
 * @throws {SelfsameError} `argument-invalid` for an endpoint without `pollFrequency`
 */
export function poll(
  controller: Controller,
  call: Call,
  endpoint: () => EndpointLike,
  args: readonly unknown[],
): () => void {
  const { name, pollFrequency } = endpoint()
  if (pollFrequency === undefined) throw errors.cannotConnect(name)
  const calls = callsOf(controller)
  const { clock } = calls
  let { fetching: wasFetching, renewals } = call
  /** Set while nothing is in flight. */
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
    // Readers learn of a failure from the snapshot.
    answer.promise.catch(() => {})
  }
  /** The call was answered or failed, by any request. */
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
  const release = calls.retain(call)
  const end = () => {
    stopWaiting()
    call.unlisten(hear)
    release()
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

/** Whether a reader that connects now fetches at once, as one that is mounted now does. */
function isDue(calls: Calls, endpoint: EndpointLike, call: Call): boolean {
  if ((call.failure?.expiresAt ?? -Infinity) > calls.clock.now()) return false
  const { isReadable } = call.snapshot(calls.store.graph)
  if (isReadable && calls.isUnclaimed(call)) return false
  return calls.status(endpoint, call) !== 'Valid'
}

/** How long a reader that connects now waits, counted from the last answer: milliseconds. */
function leftMs(pollFrequency: number, { error, age }: Call, now: number): number {
  const isUnanswered = error !== undefined || age.fetchedAt === -Infinity
  const since = isUnanswered ? now : age.fetchedAt
  // A response with a time in the future (a clock that was ahead) does not make the wait longer.
  return Math.min(pollFrequency, Math.max(0, since + pollFrequency - now))
}
