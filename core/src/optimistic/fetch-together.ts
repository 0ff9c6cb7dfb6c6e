import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller, FetchValue } from '../controller/controller.js'
import type { ArgsOf, EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { SelfsameError, toError } from '../errors.js'
import type { TemporaryId, WithTemporaryIds } from '../schema/payload.js'
import { Layers } from '../store/optimistic/layers.js'
import { createSettleable } from '../util/settleable.js'

/** A mutation of several that are sent together. */
export interface TogetherPromise<Value> extends Promise<Value> {
  /** The id of the record that it creates, until the server has given one: later mutations may name it. */
  readonly temporaryId: TemporaryId
}

/** As `controller.fetch`, for a mutation that is one of several. Where an id is a number, it may be a temporary one. */
export type FetchOfSeveral = <E extends EndpointLike & { readonly sideEffect: true }>(
  endpoint: E,
  ...args: ArgsWithTemporaryIds<ArgsOf<E>>
) => TogetherPromise<FetchValue<E>>

type ArgsWithTemporaryIds<Args> = Args extends readonly unknown[]
  ? { readonly [Index in keyof Args]: WithTemporaryIds<Args[Index]> }
  : never

/**
 * Sends several mutations as one: all of them are shown at once, and each is sent when the one before it was answered. If one
 * fails, those behind it are not sent, and are rolled back together with it. What was answered before stays, because the server
 * has done it.
 *
 * With the outbox they are sent in this order also after a reload.
 *
 * @param make - calls the `fetch` that it is given, and returns the promises
 * @returns the values of the promises, in their order
 * @throws {SelfsameError} all errors reject the promise: the one of the mutation that failed; `argument-invalid` in development if
 *   `make` returns no list of promises, or calls `fetch` with an endpoint that only reads, or when it has returned. The promises of those
 *   that were not sent reject with `create-failed`
 * @see specification 4.1, Several mutations
 * @example
 * const [project] = await fetchTogether(controller, (fetch) => {
 *   const project = fetch(projectResource.create, { title: 'Move' })
 *   return [project, fetch(taskResource.create, { projectId: project.temporaryId, title: 'Pack' })]
 * })
 */
export async function fetchTogether<const Promises extends readonly Promise<unknown>[]>(
  controller: Controller,
  make: (fetch: FetchOfSeveral) => Promises,
): Promise<{ -readonly [Index in keyof Promises]: Awaited<Promises[Index]> }> {
  const calls = callsOf(controller)
  const { mutations, store } = calls
  const layers = (store.layers = calls.layers ??= new Layers(store))
  const { unnamed } = layers
  const { queued } = unnamed
  const starts: number[] = []
  const promises: Promise<unknown>[] = []
  let isOpen = true
  /** Ends those behind one that failed. Called while that is rolled back, so that readers are notified once. */
  const fail = (start: number, error: Error) => {
    for (const later of starts) {
      const request = mutations.running.get(later)
      if (later <= start || request === undefined) continue
      queued.delete(later)
      const { name } = request.endpoint
      const reason = start < 0 ? error : errors.createFailed(name, unnamed.idOf(start), error)
      mutations.abandon(request, reason, false)
    }
  }
  const isMade = createSettleable<undefined>()
  let before: Promise<unknown> = isMade.promise
  const fetch = (endpoint: EndpointLike, ...args: readonly unknown[]) => {
    if (development && !isOpen)
      throw misused('passed a `fetch` that was called after its function had returned')
    if (development && endpoint.sideEffect !== true)
      throw misused(`was given ${endpoint.name}, which only reads`)
    const start = store.nextSequence()
    queued.set(start, { before, after: starts.at(-1), fail })
    starts.push(start)
    const promise = calls.isDisposed
      ? Promise.reject(errors.controllerDisposed(endpoint.name))
      : mutations.make(endpoint, args, undefined, start)
    promises.push((before = promise))
    return Object.assign(promise, { temporaryId: unnamed.idOf(start) })
  }
  try {
    const returned = store.batch(() => {
      try {
        const made = make(fetch as FetchOfSeveral)
        if (development && !Array.isArray(made)) throw misused('was given a function that returned no array')
        return made
      } catch (error) {
        // None of them was sent.
        fail(-1, toError(error, 'fetchTogether'))
        throw error
      } finally {
        isOpen = false
      }
    })
    isMade.resolve(undefined)
    // The first that failed is the reason why others did.
    for (const each of await Promise.allSettled(promises)) if (each.status === 'rejected') throw each.reason
    return (await Promise.all(returned)) as never
  } finally {
    for (const each of promises) each.catch(() => {})
    for (const start of starts) queued.delete(start)
  }
}

function misused(what: string): SelfsameError {
  return new SelfsameError(
    'argument-invalid',
    `fetchTogether() ${what}.\n  Return the promises of its mutations: (fetch) => [fetch(…), fetch(…)].`,
  )
}
