import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { isPlainObject } from '../util/plain.js'

/** The highest count of records in one row. */
export const bucketSize = 64

/** A record as it is kept: with the lists that its fields name. */
export interface KeptRecord {
  readonly key: string
  readonly pk: string
  /** When it was received: milliseconds since the epoch. */
  readonly at: number
  /** A state of this record alone. */
  readonly state: DehydratedState
}

/** A call as it is kept: a state of this call alone. */
export interface KeptCall {
  readonly key: string
  readonly at: number
  readonly state: DehydratedState
}

/** Takes a state apart, into states of one record or one call each. */
export function split(state: DehydratedState): { records: KeptRecord[]; calls: KeptCall[] } {
  const alone = { version: 1, records: [], results: [], lists: [], stamps: [] } as const
  const records = state.records.flatMap(([key, given]) =>
    given.map(([pk, stamp, fields]): KeptRecord => {
      const parts = new Parts(state)
      const at = parts.timeOf(stamp)
      const own = [[key, [[pk, parts.stamp(stamp), parts.value(fields)] as const]]] as const
      return { key, pk, at, state: { ...alone, ...parts.tables, records: own } }
    }),
  )
  const calls = state.results.map((result): KeptCall => {
    const parts = new Parts(state)
    const at = parts.timeOf(result.stamp)
    const own = {
      ...result,
      stamp: parts.stamp(result.stamp),
      ...(result.hasResult === true && { result: parts.value(result.result) }),
      ...(result.head !== undefined && { head: parts.value(result.head) }),
      ...(result.pages !== undefined && { pages: parts.value(result.pages) as unknown[] }),
    }
    const listed = state.listed ?? []
    return { key: result.key, at, state: { ...alone, ...parts.tables, listed, results: [own] } }
  })
  return { records, calls }
}

/** The lists and stamps that one part of a state uses, numbered anew. */
class Parts {
  readonly #state: DehydratedState
  readonly #stamps = new Map<number, number>()
  readonly #lists = new Map<number, number>()
  readonly #written: DehydratedState['lists'][number][] = []

  constructor(state: DehydratedState) {
    this.#state = state
  }

  get tables(): Pick<DehydratedState, 'lists' | 'stamps'> {
    return {
      lists: this.#written,
      stamps: [...this.#stamps.keys()].map((index) => this.#state.stamps[index] ?? [0, 0]),
    }
  }

  timeOf(stamp: number): number {
    return this.#state.stamps[stamp]?.[0] ?? 0
  }

  stamp(index: number): number {
    const known = this.#stamps.get(index) ?? this.#stamps.size
    this.#stamps.set(index, known)
    return known
  }

  value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((part) => this.value(part))
    if (!isPlainObject(value)) return value
    const names = Object.keys(value)
    if (names.length === 1 && names[0] === '$list') return { $list: this.#list(value['$list'] as number) }
    return Object.fromEntries(names.map((name) => [name, this.value(value[name])]))
  }

  #list(index: number): number {
    const known = this.#lists.get(index)
    if (known !== undefined) return known
    const place = this.#written.length
    this.#lists.set(index, place)
    const list = this.#state.lists[index]
    if (list === undefined) return place
    this.#written.push(list)
    this.#written[place] = {
      ...list,
      stamp: this.stamp(list.stamp),
      ...(list.members !== undefined && { members: this.value(list.members) }),
      ...(list.head !== undefined && { head: this.value(list.head) }),
    }
    return place
  }
}

/** A state whose data is Stale: it was received, and nobody knows whether it is the newest. */
export function staleOf(state: DehydratedState): DehydratedState {
  return { ...state, stamps: state.stamps.map(([at]) => [at, at]) }
}
