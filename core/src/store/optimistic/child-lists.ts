import type { CollectionSchema } from '../../schema/collection.js'
import { bare, collectionIn, findList, schemaAt } from '../../schema/page-schema.js'
import type { FieldPath } from '../../schema/page-schema.js'
import type { ListIdentity } from '../../schema/delegates.js'
import { ObjectSchema } from '../../schema/object.js'
import { isPlainObject } from '../../util/plain.js'
import type { Call } from '../call.js'
import { noResult } from '../results.js'
import type { WriteOrder } from '../stamp.js'
import type { Store } from '../store.js'
import type { Lengths, Transaction } from '../transaction.js'
import type { UnnamedRecords } from './unnamed-records.js'

/** Runs writes below the layers. */
interface LowerWrites {
  transaction(order: WriteOrder, lengths: Lengths, now: number): Transaction | undefined
  makeAgain(): void
  below<Value>(run: () => Value): Value
}

/**
 * The lists of what belongs to a record that is being made, such as the tasks of a new project: the server has none, so the list is
 * empty before it was asked for, and shows what is expected to join it. It is Stale: its request waits for the real id.
 */
export class ChildLists {
  readonly #store: Store
  readonly #layers: LowerWrites
  readonly #unnamed: UnnamedRecords
  /** The calls whose arguments name a record that is being made. */
  readonly #calls = new Map<Call, CollectionSchema<unknown>>()

  constructor(store: Store, layers: LowerWrites, unnamed: UnnamedRecords) {
    this.#store = store
    this.#layers = layers
    this.#unnamed = unnamed
  }

  /** Called when a call is made, and for those that were made before the create of an earlier visit was found. */
  open(call: Call): void {
    const { schema, args, isQuery, result } = call
    if (isQuery || result !== noResult || !this.#unnamed.isAwaited(args)) return
    const path = findList(schema)
    const collection = path && collectionIn(schema, path)
    if (path === undefined || collection === undefined) return
    const list = identityOf(collection, args)
    const { filter, isOfPath, isPlaced } = collection.partOf(list.args, list.call)
    const isParent = ([name, value]: [string, unknown]) =>
      (isOfPath(name) || collection.defaultOf(name) !== undefined) && this.#unnamed.isAwaited([value])
    if (isPlaced || !Object.entries(filter).some(isParent)) return
    if (this.#showEmpty(call, path)) this.#calls.set(call, collection)
  }

  /** Called when a mutation has ended: its list is that of the real id, or of a record that there will never be. */
  settled(): void {
    for (const [call, collection] of this.#calls) {
      if (this.#unnamed.isAwaited(call.args)) continue
      this.#calls.delete(call)
      const args = this.#unnamed.namedNow(call.args)
      const list = this.#store.listOf(collection, identityOf(collection, call.args))
      if (args === undefined) {
        this.#layers.below(() => list.show(undefined))
        this.#store.move(call, { type: 'forgotten', at: this.#store.nextSequence() })
        continue
      }
      const real = identityOf(collection, args)
      list.identify({ ...real, call: list.call })
      // Readers ask, because the server may have made some of its own.
      this.#store.move(call, { type: 'expired', at: this.#store.nextSequence() })
      // A reader that names the real id from now on shows the same until it is answered.
      if (real.call === undefined) continue
      const { reader, schema } = call
      const next = this.#store.call({ key: real.call, schema, args, reader })
      const path = findList(schema)
      if (next.result === noResult && path !== undefined) this.#showEmpty(next, path)
    }
  }

  clear(): void {
    this.#calls.clear()
  }

  /** Stores an empty list without an age as the result of a call. @returns `false` if its response has more than a list */
  #showEmpty(call: Call, path: FieldPath): boolean {
    const store = this.#store
    const { key, schema, args } = call
    const at = store.nextSequence()
    const order = { kind: 'read', start: at, settle: at } as const
    const transaction = this.#layers.transaction(order, { endpoint: undefined, controller: 0 }, -Infinity)
    if (transaction === undefined || schema === undefined) return false
    store.open()
    try {
      transaction.ingest(schema, emptyOf(schema, path), { args, call: key, name: key, isOwned: false }, call)
      transaction.commit()
      return true
    } catch {
      transaction.rollBack()
      return false
    } finally {
      this.#layers.makeAgain()
      // The caller may be rendering.
      store.close(true)
    }
  }
}

/** The identity of the list that a call with these arguments reads. */
function identityOf(collection: CollectionSchema<unknown>, args: readonly unknown[]): ListIdentity {
  return collection.queryKey(args, {
    listOf: (_collection: unknown, list: unknown) => list,
  } as never) as ListIdentity
}

/** A response with an empty list at a path: the fields around it have their defaults. */
function emptyOf(given: unknown, path: FieldPath): unknown {
  const [name, ...rest] = path
  if (name === undefined) return []
  const schema = bare(given)
  const fields = schema instanceof ObjectSchema ? schema.definition : schema
  const defaults = Object.fromEntries(Object.entries(fields as object).filter(hasNoSchema))
  return { ...defaults, [name]: emptyOf(schemaAt(given, [name]), rest) }
}

/** `true` for a default: one value, or an object of them. */
function hasNoSchema([, field]: [string, unknown]): boolean {
  return Object(field) !== field || isPlainObject(field)
}
