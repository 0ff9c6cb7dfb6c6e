import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { Call } from '../store/call.js'

/** A node of the memo: a path of argument names and values leads to it. */
export interface Place {
  call: Call | undefined
  next: Map<unknown, Place> | undefined
}

/** The calls of an endpoint: the one without arguments, and the places of others. */
interface Memo extends Place {
  /** The endpoint's `key` and `keyBasis` when the memo was created. */
  readonly key: unknown
  readonly basis: unknown
  /** The count of places. */
  size: number
}

/**
 * Above this count of places an endpoint's memo starts empty again, so that calls which are never made again do not add
 * up.
 */
const largestMemo = 20_000

/**
 * Finds a call without building its key, which takes longer than the rest of a read. Compares the content of arguments,
 * not their identity: they may be new objects in each read, and may be changed.
 *
 * A call is remembered at its second look-up, because many calls are made once. Only for calls with at most one
 * argument, which is a plain value or a plain object of plain values, and for endpoints whose `keyBasis` says that the
 * key has nothing else in it. Any other key is built.
 */
export class CallMemo {
  #memos = new WeakMap<object, Memo>()

  /**
   * Returns the place of a call.
   *
   * @param isMaking - `true` to create it if needed
   * @returns `undefined` if there is none, so that the key has to be built
   */
  place(endpoint: CacheableEndpoint, args: readonly unknown[], isMaking: boolean): Place | undefined {
    const memo = args.length > 1 ? undefined : this.#memoOf(endpoint)
    if (memo === undefined || args.length === 0) return memo
    // On a first screen no call was looked up twice.
    if (memo.size === 0 && !isMaking) return undefined
    // By index: destructuring creates an iterator until the engine has compiled this function.
    const arg = args[0]
    if (isPlainValue(arg)) return placeAfter(memo, memo, arg, isMaking)
    if (typeof arg !== 'object' || Object.getPrototypeOf(arg) !== Object.prototype) return undefined
    let place: Place | undefined = memo
    for (const name in arg) {
      const value = (arg as Readonly<Record<string, unknown>>)[name]
      if (!isPlainValue(value)) return undefined
      const named = placeAfter(memo, place, name, isMaking)
      place = named && placeAfter(memo, named, value, isMaking)
      if (place === undefined) return undefined
    }
    // The memo itself is the place of no arguments.
    return place === memo ? undefined : place
  }

  #memoOf(endpoint: CacheableEndpoint): Memo | undefined {
    const memo = this.#memos.get(endpoint)
    const { key } = endpoint
    if (memo !== undefined && memo.key === key && memo.size < largestMemo) {
      if (memo.basis === true || memo.basis === endpoint.keyBasis) return memo
    }
    const basis = endpoint.keyBasis
    if (basis === undefined) return undefined
    const next = { key, basis, size: 0, call: undefined, next: undefined }
    this.#memos.set(endpoint, next)
    return next
  }

  /** Removes all calls, because some were dropped. */
  clear(): void {
    this.#memos = new WeakMap()
  }
}

function placeAfter(memo: Memo, place: Place, part: unknown, isMaking: boolean): Place | undefined {
  let next = place.next?.get(part)
  if (next === undefined && isMaking) {
    ;(place.next ??= new Map<unknown, Place>()).set(part, (next = { call: undefined, next: undefined }))
    memo.size++
  }
  return next
}

function isPlainValue(value: unknown): boolean {
  return (
    value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol')
  )
}
