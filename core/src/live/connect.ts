import { callsOf } from '../controller/calls-of.js'
import type { Controller } from '../controller/controller.js'
import type { ArgsOf, EndpointLike, ReadEndpoint } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import { OpenConnections } from './open-connections.js'

/**
 * Keeps a call fresh. Of an endpoint with a `stream` that is opened, and what it receives is stored. Any other is fetched
 * at once if it is Stale or Invalid, and again each `pollFrequency` milliseconds after the last answer or failure. All who
 * are connected to one call share its stream or its requests. Ended by `dispose`.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`
 * @param args - its arguments; `null` in the first place does nothing
 * @returns a function that ends it
 * @throws {SelfsameError} `argument-invalid` for an endpoint with neither, and for a mutation
 * @see specification 3, Polling; 6
 * @example
 * const end = connect(controller, getPrice.extend({ pollFrequency: 5000 }), { symbol: 'ABC' })
 */
export function connect<E extends ReadEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: ArgsOf<E>
): () => void
export function connect(
  controller: Controller,
  endpoint: EndpointLike,
  ...args: readonly unknown[]
): () => void {
  if (args[0] === null) return () => {}
  return connectCall(controller, callsOf(controller).call(endpoint, args), () => endpoint, args)
}

/**
 * Connects a reader: `observer.connect(connectCall)`.
 *
 * @param endpoint - the endpoint as it is now: one that closes over a token may be made anew
 * @returns a function that ends it
 */
export function connectCall(
  controller: Controller,
  call: Call,
  endpoint: () => EndpointLike,
  args: readonly unknown[],
): () => void {
  const calls = callsOf(controller)
  if (calls.isDisposed) return () => {}
  const first = endpoint()
  if (first.sideEffect === true) throw errors.cannotReadMutation('connect()', first.name)
  const live = (calls.live ??= new OpenConnections(controller))
  const action = { endpoint: first, args, key: call.key }
  const end = calls.perform(
    () => ({ type: 'connect', ...action }),
    () => live.connect(call, endpoint, args),
  )
  let isConnected = true
  return () => {
    if (!isConnected) return
    isConnected = false
    calls.perform(() => ({ type: 'disconnect', ...action }), end)
  }
}
