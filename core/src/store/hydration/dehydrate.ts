import * as errors from '../../errors.js'
import { NetworkError, isOwnError, warn } from '../../errors.js'
import { getOrMake } from '../../util/get-or-make.js'
import { isPlainObject } from '../../util/plain.js'
import { PlainMapper } from './plain-mapper.js'
import { ListNode } from '../list-node.js'
import type { Pages } from '../list-node.js'
import type { DehydratedList, DehydratedResult, DehydratedState, PlainError } from './dehydrated-state.js'
import { ListStub } from './hydration.js'
import { RecordNode } from '../records.js'
import { noResult } from '../results.js'
import type { Call, StoredCallState } from '../call.js'
import { hasReference } from '../../normalize/reference.js'
import { neverWritten } from '../stamp.js'
import type { Stamp } from '../stamp.js'
import type { Store } from '../store.js'

/**
 * Serializes the received state. Omits optimistic changes, and results that hold data outside the store.
 *
 * @param isWritten - returns false for the key of a call to omit
 * @param parts - what to serialize @default everything
 */
export function dehydrateStore(
  store: Store,
  isWritten: (key: string) => boolean,
  parts = allParts(store),
): DehydratedState {
  return store.batch(() => store.below(() => new Dehydration(isWritten, parts).run()))
}

/** The parts of the received state to serialize. */
export interface DehydratedParts {
  readonly records: Iterable<RecordNode>
  readonly answers: Iterable<Answer>
  /** The tables of which any data was received. */
  readonly listed: readonly string[]
  /** Called for a list that a record or an answer holds. */
  readonly onList?: (list: ListNode | ListStub, holder: RecordNode | Answer) => void
}

/** Everything that is stored. */
export function allParts(store: Store): DehydratedParts {
  const tables = [...store.tables.values()]
  return {
    records: tables.flatMap(({ nodes }) => Array.from(nodes.values())),
    answers: [...[...store.results.values()].flat(), ...(store.hydration?.waiting ?? [])],
    listed: listedTables(store),
  }
}

/** The entity keys of which any data was received. @param known - those to leave out */
export function listedTables({ tables }: Store, known?: ReadonlySet<string>): string[] {
  const others = [...tables.values()].filter(({ key }) => known?.has(key) !== true)
  return others.flatMap(({ key, members }) => (members === undefined ? [] : [key]))
}

/** The serialized members of a call, or of a hydrated result that no call has claimed. */
export type Answer = Pick<Call, 'key' | 'result' | 'stamp' | 'path' | 'pages' | 'loaded' | 'dispose'> &
  Partial<Pick<Call, 'age' | 'inferred' | 'isQuery'>> & {
    readonly state: Pick<StoredCallState, 'isInvalidated' | 'failure'> & Partial<StoredCallState>
    readonly isExpired?: boolean
    readonly isInferred?: boolean
  }

/** `false` for a record that was only referred to, or cleared by a reset: the server did not delete it. */
function isReceivedRecord({ fields, stamp }: RecordNode): boolean {
  return fields !== undefined || stamp.fetchedAt > neverWritten.fetchedAt
}

class Dehydration {
  readonly #parts: DehydratedParts
  readonly #stamps = new Map<Stamp, number>()
  readonly #lists = new Map<ListNode | ListStub, number>()
  readonly #written: DehydratedList[] = []
  readonly #encoder = new PlainMapper((value) => this.#encodePart(value))
  readonly #isWritten: (key: string) => boolean
  /** What is being serialized. */
  #holder: RecordNode | Answer | undefined

  constructor(isWritten: (key: string) => boolean, parts: DehydratedParts) {
    this.#isWritten = isWritten
    this.#parts = parts
  }

  run(): DehydratedState {
    const { records, answers, listed } = this.#parts
    const byKey = new Map<string, RecordNode[]>()
    for (const node of records)
      if (isReceivedRecord(node)) getOrMake(byKey, node.table.key, () => [] as RecordNode[]).push(node)
    const written = [...byKey].map(([key, nodes]) => {
      const inOrder = nodes.sort((a, b) => arrivalOf(a) - arrivalOf(b))
      return [key, inOrder.map((node) => this.#record(node))] as const
    })
    const results = [...answers].flatMap((answer) => this.#result(answer))
    return {
      version: 1,
      listed,
      records: written,
      results,
      // Last, because the lines above collect the lists that they refer to.
      lists: this.#written,
      stamps: [...this.#stamps.keys()].map(({ fetchedAt, expiresAt }) => [fetchedAt, toJson(expiresAt)]),
    }
  }

  #record(node: RecordNode): readonly [string, number, unknown] {
    const { pk, stamp, fields } = node
    this.#holder = node
    return [pk, this.#stamp(stamp), fields === undefined ? null : this.#encode(fields)]
  }

  #result(call: Answer): DehydratedResult[] {
    const { key, age = call.stamp } = call
    const { isInvalidated, failure, expiredAt = 0 } = call.state
    const isInferred = call.isInferred === true || isInferredList(call)
    const result = isInferredList(call) ? call.inferred : call.result
    const isExpired = call.isExpired === true || age.sequence < expiredAt
    const hasResult = result !== noResult && !isInvalidated && call.dispose === undefined
    if (!hasResult && !isInvalidated && failure === undefined) return []
    if (!this.#isWritten(key)) return []
    this.#holder = call
    const received = hasResult ? this.#received(call, result) : {}
    if (received === undefined) return []
    return [
      {
        key,
        stamp: this.#stamp(call.stamp),
        ...(isInvalidated && { isInvalidated }),
        ...(isExpired && { isExpired }),
        ...(hasResult && isInferred && { isInferred }),
        ...received,
        ...(failure !== undefined && {
          error: { ...toCarriedError(failure.error), expiresAt: toJson(failure.expiresAt) },
        }),
      },
    ]
  }

  /** The serialized result of a call; `undefined`, with a warning, if it is circular. */
  #received({ key, path, pages, loaded }: Answer, result: unknown): Partial<DehydratedResult> | undefined {
    const { length } = this.#written
    try {
      return {
        hasResult: true,
        result: this.#encode(result),
        ...(path !== undefined && { path, ...this.#pages(pages) }),
        ...(loaded.length > 0 && { pages: this.#encode(loaded) as unknown[] }),
      }
    } catch (error) {
      // Drops the lists that this result was the first to name: they may be half written.
      this.#written.length = length
      for (const [list, index] of this.#lists) if (index >= length) this.#lists.delete(list)
      warn(errors.answerNotCarried(key, error))
      return undefined
    }
  }

  /** A list that grows at its end needs no more than its first page. */
  #pages({ head, isPaged, front, rest, first, isStartNamed }: Pages): Pick<DehydratedList, 'head' | 'sides'> {
    if (!isPaged && front === undefined) return {}
    const own = { head: this.#encode(head) }
    if (front === undefined && first === undefined) return own
    const sides = front === undefined ? { first } : { isPaged, front, rest, first, isStartNamed }
    return { ...own, sides: this.#encode(sides) }
  }

  #stamp(stamp: Stamp): number {
    let index = this.#stamps.get(stamp)
    if (index === undefined) this.#stamps.set(stamp, (index = this.#stamps.size))
    return index
  }

  #encode(value: unknown): unknown {
    return this.#encoder.map(value)
  }

  /** A reference is an object whose only field starts with `$`. An object of the user with that form is wrapped. */
  #encodePart(value: object): unknown {
    if (value instanceof RecordNode) return { $record: [value.table.key, value.pk] }
    if (value instanceof ListNode || value instanceof ListStub) return { $list: this.#list(value) }
    if (Array.isArray(value)) return this.#encoder.mapParts(value, [])
    if (!isPlainObject(value)) return value
    const encoded = this.#encoder.mapParts(value, {})
    const names = Object.keys(value)
    return names.length === 1 && names[0]?.startsWith('$') === true ? { $: encoded } : encoded
  }

  #list(node: ListNode | ListStub): number {
    if (this.#holder !== undefined) this.#parts.onList?.(node, this.#holder)
    const known = this.#lists.get(node)
    if (known !== undefined) return known
    const index = this.#written.length
    this.#lists.set(node, index)
    const { name, args, isFilter, call, stamp, pages, members } = node
    const list = { name, args, isFilter, ...(call !== undefined && { call }), stamp: this.#stamp(stamp) }
    // Reserves the index before the members are encoded, because a member may refer to this list.
    this.#written.push(list)
    this.#written[index] = {
      ...list,
      ...(members !== undefined && { members: this.#encode(members) }),
      ...this.#pages(pages),
    }
    return index
  }
}

/** The place of a record in its table: in the order of arrival, which the page shows by `schema.All`; deleted ones last. */
function arrivalOf({ fields, arrival }: RecordNode): number {
  return fields === undefined ? Number.MAX_SAFE_INTEGER : arrival
}

/** True if a call shows lists that came with other data. */
function isInferredList({ result, inferred, isQuery, age }: Answer): boolean {
  return result === noResult && isQuery === false && age !== neverWritten && hasReference(inferred, ListNode)
}

/** The text of another error than ours stays on the server: it may quote a header or an address. */
function toCarriedError(error: Error): PlainError {
  const plain = toPlainError(error)
  return isOwnError(error)
    ? plain
    : { ...plain, message: `The request failed on the server (${error.name}).` }
}

export function toPlainError(error: Error): PlainError {
  const { name, message, code, status } = error as Error & { code?: unknown; status?: unknown }
  return {
    name,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof status === 'number' && { status }),
    // Only of this class: the path of another error may be that of a file on the server.
    ...(error instanceof NetworkError && carriedRequest(error)),
  }
}

function carriedRequest({ method, path }: NetworkError): Partial<PlainError> {
  return { ...(method !== undefined && { method }), ...(path !== undefined && { path }) }
}

/** `null` replaces `Infinity`, which JSON cannot hold; `-Infinity` becomes a time before all others. */
function toJson(time: number): number | null {
  return time === Infinity ? null : Math.max(time, Number.MIN_SAFE_INTEGER)
}
