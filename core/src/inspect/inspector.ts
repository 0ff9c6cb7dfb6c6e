import { callsOf } from '../controller/calls.js'
import type { Calls } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { Action, MiddlewareHooks } from '../controller/middleware.js'
import type { RequestTracer } from '../controller/tracer.js'
import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import { Reference, toKeys } from '../normalize/reference.js'
import { Observer } from '../observer/observer.js'
import type { Fields } from '../schema/fields.js'
import type { Call } from '../store/call.js'
import { callsShowing } from '../store/call.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { ListNode } from '../store/list-node.js'
import { RecordNode, viewsOf } from '../store/records.js'
import { noResult } from '../store/results.js'
import { viewsIn } from '../store/view/view.js'
import type { View } from '../store/view/view.js'

/** A call, as the store has it now. */
export interface InspectedCall {
  /** Identifies the call in its Controller. */
  readonly id: number
  readonly key: string
  /** The name of the endpoint; the start of the key if no reader and no action named one. */
  readonly endpoint: string
  readonly args: readonly unknown[]
  /** `true` if an action on it can send a request: its endpoint is known. */
  readonly isFetchable: boolean
  readonly status: ExpiryStatus
  readonly fetching: boolean
  /** `true` while its readers must not fetch: its request was aborted, or a mutation hides its data. */
  readonly isPaused: boolean
  readonly error: Error | undefined
  readonly data: unknown
  /** When the data was received: milliseconds since the epoch; `undefined` without data. */
  readonly receivedAt: number | undefined
  /** When it becomes Stale: milliseconds since the epoch; `-Infinity` if it was made Stale. */
  readonly expiresAt: number | undefined
  /** The number of readers that retain it: mounted components and connections. */
  readonly retainers: number
  /** The names of the mounted readers that fetch; `undefined` for one that nothing names. */
  readonly readers: readonly (string | undefined)[]
  /** When it was used last without a reader: milliseconds since the epoch; `undefined` while it has readers. */
  readonly usedAt: number | undefined
}

/** A record in a list. */
export interface InspectedRow {
  readonly pk: string
  /** The fields that readers see; `undefined` if it was deleted. */
  readonly fields: Fields | undefined
}

/** A record, with all that belongs to it. */
export interface InspectedRecord extends InspectedRow {
  readonly key: string
  readonly receivedAt: number
  readonly expiresAt: number
  /** `true` if it can be edited: a class reads it. */
  readonly isEditable: boolean
  /** The records that it names. */
  readonly refersTo: readonly RecordName[]
  /** The records that name it. */
  readonly referredBy: readonly RecordName[]
  /** The calls whose data has it, directly or in another record, as far as they were read. */
  readonly shownBy: readonly InspectedCall[]
}

export interface RecordName {
  readonly key: string
  readonly pk: string
}

/** An optimistic layer. */
export interface InspectedLayer {
  /** The id of the request. */
  readonly id: number
  /** The name of its endpoint. */
  readonly endpoint: string
  /** What is expected; `undefined` while nothing is shown. */
  readonly expected: unknown
  /** `true` if its function or its write threw. */
  readonly hasFailed: boolean
  readonly temporaryIds: readonly string[]
}

/**
 * Reads a store for a panel, and acts on it. It keeps nothing but endpoints, requests nothing, and costs nothing while it
 * is not used. It computes its results for each call.
 */
export class Inspector {
  readonly #controller: Controller
  readonly #calls: Calls
  readonly #ids = new WeakMap<Call, number>()
  #nextId = 1
  /** The endpoints that actions named, by the key of the call. */
  readonly #endpoints = new Map<string, EndpointLike>()

  constructor(controller: Controller) {
    this.#controller = controller
    this.#calls = callsOf(controller)
  }

  /** All calls, in the order of their first use. */
  calls(): readonly InspectedCall[] {
    const readers = this.#readers()
    return [...this.#calls.store.results.values()].flat().map((call) => this.#inspect(call, readers))
  }

  /** The call of an endpoint and its arguments, which is not made if it is not there; an id finds one of `calls`. */
  call(id: number): InspectedCall | undefined {
    const call = this.#find(id)
    return call && this.#inspect(call, this.#readers())
  }

  /** The calls of a key. */
  callsOf(key: string): readonly InspectedCall[] {
    const readers = this.#readers()
    return this.#calls.store.calls(key).map((call) => this.#inspect(call, readers))
  }

  /** The keys of the calls whose readers are about to be notified: within a listener of `changes`. */
  touched(): readonly string[] {
    return [...this.#calls.store.touched.keys()].map(({ key }) => key)
  }

  /** The names of the mounted readers of a key that fetch. */
  readersOf(key: string): readonly (string | undefined)[] {
    const readers = this.#readers()
    return this.#calls.store.calls(key).flatMap((call) => readers.get(call)?.map(({ name }) => name) ?? [])
  }

  /** The entity keys, with the number of their records. */
  types(): readonly { readonly key: string; readonly count: number }[] {
    return [...this.#calls.store.tables.values()].map(({ key, nodes }) => {
      let count = 0
      for (const { fields } of nodes.values()) if (fields !== undefined) count++
      return { key, count }
    })
  }

  /**
   * The records of an entity key.
   *
   * @param text - only records with this text in the primary key or a field, in any case
   * @param most - at most so many @default all
   */
  records(key: string, text = '', most = Infinity): readonly InspectedRow[] {
    const nodes = this.#calls.store.tables.get(key)?.nodes.values() ?? []
    const found: InspectedRow[] = []
    const wanted = text.toLowerCase()
    for (const { pk, fields } of nodes) {
      if (fields === undefined || (wanted !== '' && !contains(pk, fields, wanted))) continue
      found.push({ pk, fields })
      if (found.length >= most) break
    }
    return found
  }

  record(key: string, pk: string): InspectedRecord | undefined {
    const node = this.#calls.store.tables.get(key)?.nodes.get(pk)
    if (node === undefined) return undefined
    const readers = this.#readers()
    return {
      key,
      pk,
      fields: node.fields && (toKeys(node.fields) as Fields),
      receivedAt: node.stamp.fetchedAt,
      expiresAt: node.stamp.expiresAt,
      isEditable: node.fields !== undefined && node.table.plans.length > 0,
      refersTo: referencesIn(node.fields).map(recordNameOf),
      referredBy: this.#referringTo(node).map(recordNameOf),
      shownBy: callsComputedFrom(node).map((call) => this.#inspect(call, readers)),
    }
  }

  /** The optimistic layers, in their order. */
  layers(): readonly InspectedLayer[] {
    return (this.#calls.layers?.all ?? []).map(
      ({ start, name, response, hasFailed, temporaryId, written }) => ({
        id: start,
        // "getOptimisticResponse of Todo.create (POST /todo)".
        endpoint: / of (\S+)/.exec(name)?.[1] ?? name,
        expected: response,
        hasFailed,
        temporaryIds: response === undefined || written === undefined ? [] : idsIn(response, temporaryId),
      }),
    )
  }

  /** Fetches a call now. @throws if its endpoint is not known, see `isFetchable` */
  refetch(id: number): Promise<unknown> {
    const call = this.#find(id)
    const endpoint = call && this.#endpointOf(call)
    if (call === undefined || endpoint === undefined)
      throw new Error(`The endpoint of call ${id} is not known.`)
    return this.#controller.fetch(endpoint, ...(call.args as readonly never[]))
  }

  /** Makes a call Invalid. */
  invalidate(id: number): void {
    this.#change(id, (call) => this.#calls.invalidate(call))
  }

  /** Makes a call Stale. */
  expire(id: number): void {
    this.#change(id, (call) => this.#calls.expire(call))
  }

  /** Forgets the response of a call. Its records stay. */
  remove(id: number): void {
    this.#change(id, (call) => {
      const { store } = this.#calls
      store.discard(call)
      // Its records stay, and so does what made them Stale for it.
      const { expiredAt } = call.state
      store.move(call, { type: 'forgotten', at: store.nextSequence(), expiredAt })
      store.graph.drop(call)
    })
  }

  /** Stores an error for a call. */
  fail(id: number, error: Error): void {
    this.#change(id, (call) => {
      const { store, clock } = this.#calls
      const start = store.nextSequence()
      store.move(call, { type: 'failed', error, start, expiresAt: clock.now() + this.#calls.errorLength({}) })
    })
  }

  /**
   * Writes fields of a record, as `controller.set` does.
   *
   * @throws what `controller.set` throws
   */
  edit(key: string, pk: string, fields: Fields): void {
    const node = this.#calls.store.tables.get(key)?.nodes.get(pk)
    const plan = node?.table.plans[0]
    if (node?.fields === undefined || plan === undefined) throw new Error(`No record ${key} ${pk} to edit.`)
    // A key of several fields, or a computed one, needs them all.
    const args = toKeys(plan.isKeyedById ? { id: node.fields['id'] } : node.fields) as object
    this.#controller.set(plan.entity as never, args, fields as never)
  }

  /** Adds hooks, which see all actions and requests from now on. @returns a function that removes them */
  observe(hooks: Omit<MiddlewareHooks, 'activate' | 'passesOn'>): () => void {
    const before = (action: Action) => {
      this.#note(action)
      hooks.before?.(action)
    }
    const { hooks: all } = this.#calls.pipeline
    // Payloads are passed on, so the store goes on to keep them without a copy.
    const own = { ...hooks, before, passesOn: true }
    all.push(own)
    return () => {
      const place = all.indexOf(own)
      if (place !== -1) all.splice(place, 1)
    }
  }

  /** Receives the reasons why readers fetch, in development builds. @returns a function that ends it */
  trace(asked: RequestTracer['asked']): () => void {
    this.#calls.tracer = { asked }
    return () => {
      this.#calls.tracer = undefined
    }
  }

  #note(action: Action): void {
    if (action.type === 'resetAll') this.#endpoints.clear()
    else if ('endpoint' in action && 'key' in action && typeof action.endpoint === 'function')
      this.#endpoints.set(action.key, action.endpoint as EndpointLike)
    // Endpoints of calls that are not there any more.
    if (this.#endpoints.size > 2 * this.#calls.store.results.size + 100)
      for (const key of this.#endpoints.keys())
        if (!this.#calls.store.results.has(key)) this.#endpoints.delete(key)
  }

  #find(id: number): Call | undefined {
    return [...this.#calls.store.results.values()].flat().find((call) => this.#ids.get(call) === id)
  }

  #change(id: number, change: (call: Call) => void): void {
    const call = this.#find(id)
    if (call !== undefined) this.#calls.store.batch(() => change(call))
  }

  /** The mounted readers that fetch, by their call. */
  #readers(): Map<Call, NamedReader[]> {
    const found = new Map<Call, NamedReader[]>()
    for (const reader of this.#calls.readers) {
      if (!(reader instanceof Observer)) continue
      reader.inspect((_, call, endpoint) => {
        const named = { name: reader.options?.name ?? reader.label, endpoint }
        found.set(call, [...(found.get(call) ?? []), named])
      })
    }
    return found
  }

  #endpointOf(call: Call): EndpointLike | undefined {
    const known = this.#readers().get(call)?.[0]?.endpoint ?? this.#endpoints.get(call.key)
    return typeof known === 'function' ? (known as EndpointLike) : undefined
  }

  #inspect(call: Call, all: ReadonlyMap<Call, readonly NamedReader[]>): InspectedCall {
    const readers = all.get(call) ?? []
    const endpoint = readers[0]?.endpoint ?? this.#endpoints.get(call.key)
    const { data, error, fetching, isReadable } = call.snapshot()
    const options = endpoint ?? { key: () => call.key, testKey: () => false, schema: undefined }
    let id = this.#ids.get(call)
    if (id === undefined) this.#ids.set(call, (id = this.#nextId++))
    return {
      id,
      key: call.key,
      endpoint:
        nameOfEndpoint(endpoint) ?? (call.isQuery ? nameOfEndpoint(call.schema) : undefined) ?? call.key,
      args: call.args,
      isFetchable: typeof endpoint === 'function',
      status: call.isQuery
        ? isReadable
          ? 'Valid'
          : 'Invalid'
        : this.#calls.status(options as CacheableEndpoint, call),
      fetching,
      isPaused: call.state.pausedUntil > this.#calls.clock.now(),
      error,
      data,
      receivedAt: isReadable ? call.age.fetchedAt : undefined,
      expiresAt: isReadable ? this.#calls.expiresAt(options as CacheableEndpoint, call) : undefined,
      retainers: call.retainers,
      readers: readers.map(({ name }) => name),
      usedAt: call.retainers > 0 ? undefined : call.usedAt,
    }
  }

  /** The records whose fields name a record. */
  #referringTo(node: RecordNode): readonly RecordNode[] {
    const found: RecordNode[] = []
    for (const { nodes } of this.#calls.store.tables.values())
      for (const other of nodes.values())
        if (other.fields !== undefined && referencesIn(other.fields).includes(node)) found.push(other)
    return found
  }
}

interface NamedReader {
  readonly name: string | undefined
  readonly endpoint: CacheableEndpoint
}

function nameOfEndpoint(endpoint: unknown): string | undefined {
  const name = (endpoint as { readonly name?: unknown } | undefined)?.name
  return typeof name === 'string' && name !== '' ? name : undefined
}

const recordNameOf = ({ table, pk }: RecordNode): RecordName => ({ key: table.key, pk })

function contains(pk: string, fields: Fields, text: string): boolean {
  if (pk.toLowerCase().includes(text)) return true
  return Object.values(fields).some(
    (value) =>
      value !== null &&
      (typeof value !== 'object' || value instanceof RecordNode) &&
      String(value instanceof RecordNode ? value.pk : value)
        .toLowerCase()
        .includes(text),
  )
}

/** The records that a normalized value names, without those in them. */
function referencesIn(value: unknown, depth = 0): RecordNode[] {
  if (value instanceof RecordNode) return [value]
  if (value instanceof ListNode) return referencesIn(value.members, depth + 1)
  if (value instanceof Reference || typeof value !== 'object' || value === null || depth > 8) return []
  return Object.values(value).flatMap((part) => referencesIn(part, depth + 1))
}

/** The calls that were computed from a record. */
function callsComputedFrom(node: RecordNode): readonly Call[] {
  const seen = new Set<View>(viewsOf(node))
  // A set grows while it is gone through.
  for (const view of seen) for (const above of viewsIn(view.dependents)) seen.add(above)
  return callsShowing([...seen]).filter((call) => call.result !== noResult || call.inferred !== undefined)
}

/** The temporary ids in an expected response. */
function idsIn(value: unknown, prefix: string, depth = 0): readonly string[] {
  if (typeof value === 'string') return value.startsWith(prefix) ? [value] : []
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return [...new Set(Object.values(value).flatMap((part) => idsIn(part, prefix, depth + 1)))]
}
