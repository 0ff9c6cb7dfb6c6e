import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Calls } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { OpenConnection } from '../controller/live-calls.js'
import type { ArgsOf, EndpointLike, ReadEndpoint } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import { OpenConnections } from './open-connections.js'

/**
 * Keeps a call fresh. If the endpoint has a `stream`, opens it and stores its messages. Otherwise fetches the call
 * immediately if it is Stale or Invalid, and again `pollFrequency` milliseconds after each response or error. All
 * connections of one call share its stream or its requests. `controller.dispose()` ends them.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`
 * @param args - its arguments; a first argument of `null` does nothing
 * @returns a function that ends the connection
 * @throws {SelfsameError} `argument-invalid` for an endpoint with neither, and for a mutation
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
 * Connects the call of an Observer: `observer.connect(connectCall)`.
 *
 * @param endpoint - returns the current endpoint, which may be a new one in each render, for example to close over a
 *   token
 * @returns a function that ends the connection
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
  const end = calls.pipeline.perform(
    () => ({ type: 'connect', ...action }),
    () => live.connect(call, endpoint, args),
  )
  // Middleware or a listener has disposed of the Controller meanwhile.
  if (calls.isDisposed) end()
  const forget = development
    ? noteConnection(calls, { call, hasStream: first.stream !== undefined })
    : undefined
  let isConnected = true
  return () => {
    if (!isConnected) return
    isConnected = false
    if (development) forget?.()
    calls.pipeline.perform(() => ({ type: 'disconnect', ...action }), end)
  }
}

/** Notes an open connection, for warnings. Development only. @returns a function that forgets it */
function noteConnection(calls: Calls, connection: OpenConnection): () => void {
  const connections = (calls.connections ??= new Set())
  connections.add(connection)
  return () => connections.delete(connection)
}
