import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { ResultNode } from '../store/results.js'

/** Rows by the arguments that name them: one name after the other, each with its value. */
interface Place {
  row: ResultNode | undefined
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
 * Finds the row of a call again without building its key, which takes longer than all the rest of a read. Looks at
 * what arguments hold, never at which objects they are: those may be made anew for each read, and may be changed.
 *
 * Only for calls with at most one argument, a plain object of plain values or such a value, of endpoints that say by
 * `keyBasis` that nothing else is in the key. Any other key is built.
 */
export class RowMemo {
  #memos = new WeakMap<object, Memo>()

  find(endpoint: CacheableEndpoint, args: readonly unknown[]): ResultNode | undefined {
    const memo = this.#memos.get(endpoint)
    if (memo === undefined || memo.key !== endpoint.key) return undefined
    if (memo.basis !== true && memo.basis !== endpoint.keyBasis) return undefined
    const row = findPlace(memo, args)?.row
    return row?.isCollected === true ? undefined : row
  }

  keep(endpoint: CacheableEndpoint, args: readonly unknown[], row: ResultNode): void {
    const { key, keyBasis: basis } = endpoint
    if (basis === undefined || args.length > 1) return
    let memo = this.#memos.get(endpoint)
    if (memo === undefined || memo.key !== key || memo.basis !== basis || memo.size >= largestMemo) {
      memo = {
        key,
        basis,
        withoutArgs: createPlace(),
        byValue: createPlace(),
        byFields: createPlace(),
        size: 0,
      }
      this.#memos.set(endpoint, memo)
    }
    const place = addPlace(memo, args)
    if (place === undefined) return
    place.row = row
    memo.size++
  }

  /** Forgets all rows, because some were dropped. */
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
  const fields = Object.entries(arg as object)
  if (!fields.every(([, value]) => isPlainValue(value))) return undefined
  return fields.reduce((place, [name, value]) => placeAfter(placeAfter(place, name), value), memo.byFields)
}

function placeAfter(place: Place, part: unknown): Place {
  place.next ??= new Map()
  let next = place.next.get(part)
  if (next === undefined) place.next.set(part, (next = createPlace()))
  return next
}

function createPlace(): Place {
  return { row: undefined, next: undefined }
}

function isPlainValue(value: unknown): boolean {
  return (
    value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol')
  )
}
