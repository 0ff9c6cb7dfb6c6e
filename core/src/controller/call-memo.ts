import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'

/** Where a call stands, or is to be put: one name of its arguments after the other, each with its value. */
export interface Place {
  call: Call | undefined
  next: Map<unknown, Place> | undefined
}

interface Memo {
  /** The endpoint's `key` when the memo began, and its `keyBasis`. */
  readonly key: unknown
  readonly basis: unknown
  readonly withoutArgs: Place
  readonly byValue: Place
  readonly byFields: Place
  size: number
}

/** Beyond it an endpoint's memo begins anew: calls that are never made again must not add up. */
const largestMemo = 10_000

/**
 * Finds a call again without building its key, which takes longer than all the rest of a read. Looks at
 * what arguments hold, never at which objects they are: those may be made anew for each read, and may be changed.
 *
 * Only for calls with at most one argument, a plain object of plain values or such a value, of endpoints that say by
 * `keyBasis` that nothing else is in the key. Any other key is built.
 */
export class CallMemo {
  #memos = new WeakMap<object, Memo>()

  /** The place of a call, made when it is first asked for; `undefined` where the key has to be built. */
  place(endpoint: CacheableEndpoint, args: readonly unknown[]): Place | undefined {
    const memo = this.#memoOf(endpoint)
    if (memo === undefined) return undefined
    return findPlace(memo, args) ?? this.#addPlace(memo, endpoint, args)
  }

  #memoOf(endpoint: CacheableEndpoint): Memo | undefined {
    const memo = this.#memos.get(endpoint)
    const isKnown =
      memo !== undefined &&
      memo.key === endpoint.key &&
      (memo.basis === true || memo.basis === endpoint.keyBasis)
    return isKnown ? memo : this.#begin(endpoint)
  }

  #begin(endpoint: CacheableEndpoint): Memo | undefined {
    const { key, keyBasis: basis } = endpoint
    if (basis === undefined) return undefined
    const places = { withoutArgs: createPlace(), byValue: createPlace(), byFields: createPlace() }
    const memo = { key, basis, ...places, size: 0 }
    this.#memos.set(endpoint, memo)
    return memo
  }

  #addPlace(memo: Memo, endpoint: CacheableEndpoint, args: readonly unknown[]): Place | undefined {
    if (args.length > 1) return undefined
    const current = memo.size < largestMemo ? memo : this.#begin(endpoint)
    if (current === undefined) return undefined
    const place = addPlace(current, args)
    if (place !== undefined) current.size++
    return place
  }

  /** Forgets all calls, because some were dropped. */
  clear(): void {
    this.#memos = new WeakMap()
  }
}

function findPlace(memo: Memo, args: readonly unknown[]): Place | undefined {
  if (args.length !== 1) return args.length === 0 ? memo.withoutArgs : undefined
  const arg = args[0]
  if (typeof arg !== 'object' || arg === null) return memo.byValue.next?.get(arg)
  if (Object.getPrototypeOf(arg) !== Object.prototype) return undefined
  let place: Place | undefined = memo.byFields
  for (const name in arg) {
    place = place.next?.get(name)?.next?.get((arg as Readonly<Record<string, unknown>>)[name])
    if (place === undefined) return undefined
  }
  return place
}

function addPlace(memo: Memo, args: readonly unknown[]): Place | undefined {
  if (args.length === 0) return memo.withoutArgs
  const [arg] = args
  if (isPlainValue(arg)) return placeAfter(memo.byValue, arg)
  if (typeof arg !== 'object' || Object.getPrototypeOf(arg) !== Object.prototype) return undefined
  const fields = arg as Readonly<Record<string, unknown>>
  for (const name in fields) if (!isPlainValue(fields[name])) return undefined
  let place = memo.byFields
  for (const name in fields) place = placeAfter(placeAfter(place, name), fields[name])
  return place
}

function placeAfter(place: Place, part: unknown): Place {
  place.next ??= new Map()
  let next = place.next.get(part)
  if (next === undefined) place.next.set(part, (next = createPlace()))
  return next
}

function createPlace(): Place {
  return { call: undefined, next: undefined }
}

function isPlainValue(value: unknown): boolean {
  return (
    value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol')
  )
}
