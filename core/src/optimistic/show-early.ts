import type { ControllerContext } from '../controller/requests.js'
import { nameOf } from '../controller/requests.js'
import { isRead, ownFieldsOf } from '../controller/mutations.js'
import type { EarlyMutation } from '../controller/mutations.js'
import { updateCalls } from '../controller/update.js'
import type { CacheSnapshot, CacheableEndpoint, OptimisticResponse } from '../endpoint/endpoint.js'
import { contractOf } from '../schema/contract-of.js'
import { queryableContract } from '../schema/queryable.js'
import type { TemporaryId } from '../schema/payload.js'
import type { Schema } from '../schema/schema.js'
import type { Below } from '../store/optimistic/below.js'
import { copyPlain } from '../util/plain.js'
import { Layers } from '../store/optimistic/layers.js'
import type { UnnamedRecords } from '../store/optimistic/unnamed-records.js'
import { noResult } from '../store/results.js'

/** Creates `getOptimisticResponse` from a function that returns the expected response. */
export function toResponse<Args extends readonly unknown[], Expected>(
  expect: (this: unknown, snapshot: CacheSnapshot, ...args: Args) => Expected,
): OptimisticResponse<Args, Expected> {
  function response(this: unknown, snapshot: CacheSnapshot, ...args: Args): Expected {
    return expect.call(this, snapshot, ...args)
  }
  return Object.assign(response, { show: showEarly }) as unknown as OptimisticResponse<Args, Expected>
}

/**
 * Shows the expected effect of a mutation. The mutation is sent even if it cannot be shown early. Readers whose data
 * it makes unreadable keep their last data until it settles.
 */
function showEarly(
  context: ControllerContext,
  { endpoint, args: given, start, temporaryId }: EarlyMutation,
): void {
  const { store, clock } = context
  const { getOptimisticResponse, update } = endpoint
  const schema = endpoint.schema === undefined ? undefined : contractOf(endpoint.schema)
  if (getOptimisticResponse === undefined || (schema === undefined && update === undefined)) return
  // The expected response is computed again when data below it changes. The caller may have changed the body by then.
  const args = given.map(copyOfArgument)
  const name = `getOptimisticResponse of ${nameOf(endpoint)}`
  const layers = (context.layers ??= new Layers(store))
  store.layers = layers
  const { unnamed } = layers
  const now = clock.now()
  unnamed.idOf(start, temporaryId)
  store.batch(() => {
    store.holdUnreadable()
    const layer = layers.add({
      start,
      name,
      wrote: ownFieldsOf(endpoint, args, schema),
      temporaryId: unnamed.idOf(start, temporaryId),
      expect: (below): unknown =>
        getOptimisticResponse.call(
          endpoint,
          new EarlySnapshot(below, context, { start, now, unnamed }) as RecordSnapshot,
          ...(args as never[]),
        ),
      write: (transaction, found, read) => {
        const below = read()
        // It runs again when a record that it names has its real id.
        for (const create of unnamed.awaitedIn([args, found], start)) below.noted.add(create)
        const [response, ...named] = unnamed.withKnownIds([found, ...args])
        const origin = { args: named, name, isOwned: false, isPartial: true }
        const expected = schema === undefined ? response : transaction.ingest(schema, response, origin)
        if (update !== undefined) {
          const value = isRead(schema) ? below.readOnce(schema, expected, named) : response
          updateCalls(below, transaction, endpoint, value, named, true)
        }
        return expected
      },
    })
    const held = store.takeHeld(true)
    // The function may have reset the Controller: then nothing stays on screen.
    if (layers.of(start) !== undefined) layers.hold(layer, held)
    // Readers may have named it before it was found.
    if (temporaryId !== undefined) layers.openAll(temporaryId)
  })
}

/** The snapshot that the expectations of a resource get. */
export interface RecordSnapshot extends CacheSnapshot {
  /** Returns `true` if the record is stored, even as a summary: then its other fields do not matter. */
  isKnown(schema: Schema, params: unknown): boolean
}

/** What the function of one mutation is told. */
interface About {
  readonly start: number
  /** When the mutation began. */
  readonly now: number
  readonly unnamed: UnnamedRecords
}

/** What the function of a mutation reads. It may take the members apart. */
class EarlySnapshot {
  readonly now: number
  readonly #about: About
  readonly #below: Below
  readonly #context: ControllerContext

  constructor(below: Below, context: ControllerContext, about: About) {
    this.now = about.now
    this.#about = about
    this.#below = below
    this.#context = context
  }

  get temporaryId(): TemporaryId {
    const { unnamed, start } = this.#about
    unnamed.begin(start)
    return unnamed.idOf(start) as TemporaryId
  }

  readonly get = (schema: Schema, ...args: readonly unknown[]): unknown => {
    if (args[0] === null) return undefined
    return this.#below.readOnce(queryableContract(schema), noResult, args)
  }

  readonly read = (endpoint: CacheableEndpoint, ...args: readonly unknown[]) => ({
    data: args[0] === null ? undefined : this.#below.readCall(this.#context.call(endpoint, args)),
  })

  readonly isKnown = (schema: Schema, params: unknown) => this.#below.isKnown(schema, [params])
}

/** Copies an argument, also a form, so that what the caller changes later is not shown. */
function copyOfArgument(arg: unknown): unknown {
  if (arg instanceof URLSearchParams) return new URLSearchParams(arg)
  // In React Native a form has no entries.
  if (!(arg instanceof FormData && Symbol.iterator in arg)) return copyPlain(arg)
  const copy = new FormData()
  for (const [name, value] of arg) copy.append(name, value as string)
  return copy
}
