import type { StoredRow } from '../storage/row-storage.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { neverWritten } from '../store/stamp.js'
import { getOrMake } from '../util/get-or-make.js'
import { isPlainObject, isSamePlain, setOwn } from '../util/plain.js'
import { contentsOf } from './contents.js'
import type { Contents } from './contents.js'

/** The lists that data names by their index, with their stamps. */
type Parts = Pick<DehydratedState, 'lists' | 'stamps'>

/** A record as it is kept. */
export interface KeptRecord {
  readonly key: string
  readonly pk: string
  /** When it was received: milliseconds since the epoch. */
  readonly at: number
  /** As in a `DehydratedState`: `null` for a deleted record. */
  readonly fields: unknown
  /** Left out if its fields name no list. */
  readonly parts?: Parts
  /** The other rows that had the records which it names when it was written: they are found without reading all. Left out if none. */
  readonly beside?: readonly string[]
}

/** A call as it is kept. */
export interface KeptCall {
  readonly key: string
  /** When it was received: milliseconds since the epoch. */
  readonly at: number
  /** A state of this call alone. */
  readonly state: DehydratedState
  /** The rows that had the records which it names when it was written. */
  readonly beside?: readonly string[]
}

const alone = { version: 1, records: [], results: [], lists: [], stamps: [] } as const

/** A record of a state, with the numbers of the lists there. */
export interface RecordInState extends Pick<KeptRecord, 'key' | 'pk' | 'at' | 'fields'> {
  readonly state: DehydratedState
}

/** The records of a state. @param isKept - returns `false` for an entity key to leave out */
export function recordsIn(state: DehydratedState, isKept: (key: string) => boolean): RecordInState[] {
  return state.records.flatMap(([key, records]) =>
    isKept(key)
      ? records.map(([pk, stamp, fields]) => ({ state, key, pk, at: state.stamps[stamp]?.[0] ?? 0, fields }))
      : [],
  )
}

/** Takes a record out of its state. */
export function takeRecord({ state, key, pk, at, fields }: RecordInState): WithContents<KeptRecord> {
  const contents = contentsOf(fields)
  if (!contents.hasLists) return { kept: { key, pk, at, fields }, contents }
  const numbering = new Numbering(state)
  const kept = { key, pk, at, fields: numbering.value(fields), parts: numbering.parts }
  return { kept, contents: contentsOfKept(kept) }
}

/** A record or a call, and what it holds. */
export interface WithContents<Kept extends KeptRecord | KeptCall> {
  readonly kept: Kept
  readonly contents: Contents
}

/** The calls of a state that were answered once, without an error: what failed says nothing at the next start. */
export function keptCallsIn(state: DehydratedState): WithContents<KeptCall>[] {
  const answered = state.results.filter(({ stamp }) => state.stamps[stamp]?.[0] !== neverWritten.fetchedAt)
  return answered.map((result) => {
    const numbering = new Numbering(state)
    const own = {
      ...result,
      stamp: numbering.stamp(result.stamp),
      ...(result.hasResult === true && { result: numbering.value(result.result) }),
      ...(result.head !== undefined && { head: numbering.value(result.head) }),
      ...(result.sides !== undefined && { sides: numbering.value(result.sides) }),
      ...(result.pages !== undefined && { pages: numbering.value(result.pages) as unknown[] }),
    }
    delete own.error
    const listed = state.listed ?? []
    const at = numbering.timeOf(result.stamp)
    const kept = { key: result.key, at, state: { ...alone, ...numbering.parts, listed, results: [own] } }
    return { kept, contents: contentsOfKept(kept) }
  })
}

/**
 * Makes states of records: one of all that name no list, and one of each other.
 */
export function statesOf(records: readonly KeptRecord[]): DehydratedState[] {
  const byKey = new Map<string, [pk: string, stamp: number, fields: unknown][]>()
  const times = new Map<number, number>()
  const states: DehydratedState[] = []
  for (const { key, pk, at, fields, parts } of records) {
    if (parts === undefined) {
      const stamp = getOrMake(times, at, () => times.size)
      getOrMake(byKey, key, () => []).push([pk, stamp, fields])
    } else {
      const { lists, stamps } = parts
      const own = [[key, [[pk, stamps.length, fields] as const]]] as const
      states.push({ ...alone, lists, stamps: [...stamps, [at, at]], records: own })
    }
  }
  if (byKey.size > 0)
    states.push({ ...alone, records: [...byKey], stamps: [...times.keys()].map((at) => [at, at] as const) })
  return states
}

/** Numbers the lists and stamps anew that one part of a state uses. */
class Numbering {
  readonly #state: DehydratedState
  readonly #stamps: number[] = []
  readonly #lists: number[] = []
  readonly #written: DehydratedState['lists'][number][] = []

  constructor(state: DehydratedState) {
    this.#state = state
  }

  get parts(): Parts {
    return {
      lists: this.#written,
      stamps: this.#stamps.map((index) => this.#state.stamps[index] ?? [0, 0]),
    }
  }

  timeOf(stamp: number): number {
    return this.#state.stamps[stamp]?.[0] ?? 0
  }

  stamp(index: number): number {
    const known = this.#stamps.indexOf(index)
    return known < 0 ? this.#stamps.push(index) - 1 : known
  }

  /** Returns a value with other numbers of lists: the value itself if it names none. */
  value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const mapped = value.map((part) => this.value(part))
      return mapped.some((part, index) => part !== value[index]) ? mapped : value
    }
    if (!isPlainObject(value)) return value
    const { $list: list } = value
    if (list !== undefined && Object.keys(value).length === 1) return { $list: this.#list(list as number) }
    return this.#fields(value)
  }

  /** An object of the user that has the form of a reference is in one whose only field is `$`. */
  #fields(fields: Readonly<Record<string, unknown>>): object {
    let mapped: Record<string, unknown> | undefined
    for (const name of Object.keys(fields)) {
      const part = fields[name]
      const next = name === '$' && isPlainObject(part) ? this.#fields(part) : this.value(part)
      if (next === part) continue
      mapped ??= { ...fields }
      setOwn(mapped, name, next)
    }
    return mapped ?? fields
  }

  #list(index: number): number {
    const known = this.#lists.indexOf(index)
    if (known >= 0) return known
    const place = this.#lists.push(index) - 1
    const list = this.#state.lists[index]
    if (list === undefined) return place
    this.#written.push(list)
    this.#written[place] = {
      ...list,
      stamp: this.stamp(list.stamp),
      ...(list.members !== undefined && { members: this.value(list.members) }),
      ...(list.head !== undefined && { head: this.value(list.head) }),
      ...(list.sides !== undefined && { sides: this.value(list.sides) }),
    }
    return place
  }
}

/** A name of a kept record or call, among all of them. */
export function keptName(kept: KeptRecord | KeptCall): string {
  return 'pk' in kept ? recordName(kept.key, kept.pk) : kept.key
}

/** A text that identifies a record among all kept ones. */
export function recordName(key: string, pk: string): string {
  return `${key} ${pk}`
}

/** What a kept record or call holds. */
export function contentsOfKept(kept: KeptRecord | KeptCall): Contents {
  if (!('pk' in kept)) return contentsOf(kept.state.results, kept.state.lists)
  const { fields, parts } = kept
  return parts === undefined ? contentsOf(fields) : contentsOf(fields, parts.lists)
}

/** `true` if what was restored says the same as what is to be written; lists in it may have changed. */
export function isSameKept(
  restored: KeptRecord | KeptCall | undefined,
  kept: KeptRecord | KeptCall,
): boolean {
  if (restored === undefined || restored.at !== kept.at) return false
  const contentOf = (each: KeptRecord | KeptCall) => {
    const { lists, stamps, ...own } =
      'pk' in each ? { lists: [], stamps: [], ...each.parts, fields: each.fields } : each.state
    return [own, lists, stamps.map(([at]) => at)]
  }
  return isSamePlain(contentOf(restored), contentOf(kept))
}

/** A state whose data is Stale: it was received, and nobody knows whether it is the newest. */
export function staleOf(state: DehydratedState): DehydratedState {
  return { ...state, stamps: state.stamps.map(([at]) => [at, at]) }
}

/** The rows that are there, with their keys. */
export function existing(keys: readonly string[], rows: readonly (StoredRow[1] | undefined)[]): StoredRow[] {
  return keys.flatMap((key, index): StoredRow[] => {
    const row = rows[index]
    return row === undefined ? [] : [[key, row]]
  })
}
