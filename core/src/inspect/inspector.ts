import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Calls } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { Action, MiddlewareHooks } from '../controller/middleware.js'
import type { RequestTracer } from '../controller/tracer.js'
import type { CacheableEndpoint, EndpointLike } from '../endpoint/endpoint.js'
import { Reference, toKeys } from '../normalize/reference.js'
import { Observer } from '../observer/observer.js'
import type { CollectionSchema, ListPart } from '../schema/collection.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { Schema } from '../schema/schema.js'
import type { Call } from '../store/call.js'
import { callsShowing } from '../store/call.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { ListNode } from '../store/list-node.js'
import { holds } from '../store/list-members.js'
import { RecordNode, RecordView, rejection, viewsOf } from '../store/records.js'
import { noResult } from '../store/results.js'
import { neverWritten } from '../store/stamp.js'
import type { Stamp } from '../store/stamp.js'
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
  /** `true` for a query of the cache, which sends no requests. */
  readonly isQuery: boolean
  /** `true` if a response of its own is stored. Without one, it shows what other calls brought. */
  readonly isAnswered: boolean
  /** What its request waits for; `undefined` if it waits for nothing but the response. */
  readonly waitsFor: 'network' | 'storage' | 'page' | undefined
  /**
   * Why its readers do not fetch: its request was aborted, the `signal` of its endpoint is aborted, or a pending mutation hides its
   * data. `undefined` if they may.
   */
  readonly pause: 'aborted' | 'signal' | 'hidden' | undefined
  /** How its readers follow the server; `undefined` without a connection, and in production builds. */
  readonly connection: 'stream' | 'poll' | undefined
  readonly error: Error | undefined
  /** When the error expires: milliseconds since the epoch; `undefined` without one. */
  readonly errorExpiresAt: number | undefined
  readonly data: unknown
  /** When the data was received: milliseconds since the epoch; `undefined` without data. */
  readonly receivedAt: number | undefined
  /** When it becomes Stale: milliseconds since the epoch; `-Infinity` if it was made Stale. */
  readonly expiresAt: number | undefined
  /** The number of readers that retain it: mounted components and connections. */
  readonly retainers: number
  /** The names of the mounted readers; `undefined` for an unnamed reader. */
  readonly readers: readonly (string | undefined)[]
  /** The number of them that fetch: the others, such as `useCache` and paused readers, only read. */
  readonly fetchers: number
  /** When it was used last without a reader: milliseconds since the epoch; `undefined` while it has readers. */
  readonly usedAt: number | undefined
}

/** Where the data of a call comes from, and why there is none. */
export interface InspectedOrigin {
  /** The record or list that it shows without a response of its own: `Board 1`; `undefined` for a call that was answered. */
  readonly what: string | undefined
  /** The call whose response brought it: `Board.getList`; `undefined` if none that is stored did. */
  readonly call: string | undefined
  /** The record that the call is: of an endpoint whose schema is a class. */
  readonly record: RecordName | undefined
  /** `true` if it was hydrated: from a server render, or a persisted cache. */
  readonly isHydrated: boolean
  /** The id of the request that wrote it; that of no request for data that was set. `undefined` without data. */
  readonly request: number | undefined
  /**
   * Why it is Invalid: it was never fetched, it was invalidated, what it names is not stored or was deleted, `validate` of its class
   * refuses its record, or its endpoint shows no Stale data. `undefined` if it is not Invalid.
   */
  readonly missing: 'unfetched' | 'invalidated' | 'deleted' | 'rejected' | 'stale' | undefined
  /** What `validate` of the class says: `content is missing`; `undefined` if that is not why it is Invalid. */
  readonly rejection: string | undefined
  /** The records that its data was computed from, as far as it was read; at most 1,000. */
  readonly records: readonly RecordName[]
  /** The different arguments that use its key, if there are several. */
  readonly argumentLists: readonly (readonly unknown[])[]
}

/** A list of a Collection, as it concerns one record. */
export interface InspectedList {
  /** The call that loads it, or the record and field that hold it: `Todo.getList {"group":2}`, `Board 1.columns`. */
  readonly name: string
  /** `true` if the record is a member. */
  readonly isMember: boolean
  /** Why the record is not a member, as far as the arguments of the list tell. */
  readonly reason: string | undefined
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
  /** `true` if the server may know it better, so that it stays Stale until a request that starts later is answered. */
  readonly isDoubtful: boolean
  /** The id of the request that wrote it last; that of no request for data that was set. */
  readonly request: number | undefined
  /** The call whose response wrote it last: `Board.getList`; `undefined` if none that is stored did. */
  readonly broughtBy: string | undefined
  /** `true` if it was hydrated: from a server render, or a persisted cache. */
  readonly isHydrated: boolean
  /** The fields that were never received. Readers see the defaults of the class. */
  readonly defaults: readonly string[]
  /** Why `validate` of its class hides it from readers: `content is missing`. */
  readonly rejection: string | undefined
  /** The loaded lists of its type. */
  readonly lists: readonly InspectedList[]
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
  /** `true` if readers say why they fetch: in development builds. */
  readonly knowsReasons: boolean = development

  constructor(controller: Controller) {
    this.#controller = controller
    this.#calls = callsOf(controller)
  }

  /** All calls, in the order of their first use. */
  calls(): readonly InspectedCall[] {
    const readers = this.#readers()
    return [...this.#calls.store.results.values()].flat().map((call) => this.#inspect(call, readers))
  }

  /** The call of an endpoint and its arguments, if it exists; an id finds one of `calls`. */
  call(id: number): InspectedCall | undefined {
    const call = this.#find(id)
    return call && this.#inspect(call, this.#readers())
  }

  /** Where the data of a call comes from, and why there is none. */
  origin(id: number): InspectedOrigin | undefined {
    const call = this.#find(id)
    if (call === undefined) return undefined
    const isAnswered = call.result !== noResult
    const source = isAnswered ? undefined : referencesAndListsIn(call.inferred).find(isWritten)
    const stamp = isAnswered ? call.stamp : source?.stamp
    const isInvalid = this.#inspect(call, this.#readers()).status === 'Invalid'
    const missing = isInvalid ? whyMissing(call) : undefined
    return {
      what: source && this.#nameOfReference(source),
      call: source && this.#callThatWrote(source.stamp),
      record: recordNameIn(call),
      isHydrated: stamp !== undefined && isHydrated(stamp),
      request: stamp?.start,
      missing,
      rejection: missing === 'rejected' ? refusalOf(call) : undefined,
      records: recordsBehind(call).map(recordNameOf),
      argumentLists: this.#argumentsOf(call),
    }
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

  /** The names of the mounted readers of a key, or of several. */
  readersOf(keys: string | readonly string[]): readonly (string | undefined)[] {
    if (keys.length === 0) return []
    const readers = this.#readers()
    return [keys]
      .flat()
      .flatMap((key) => this.#calls.store.calls(key))
      .flatMap((call) => readers.get(call)?.map(({ name }) => name) ?? [])
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
   * @param text - only records with this text in the primary key or a field; upper and lower case are equal
   * @param most - the maximum number of records @default all
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
      isDoubtful: node.stamp.doubtedAt !== undefined && node.stamp.expiresAt === -Infinity,
      request: node.stamp === neverWritten ? undefined : node.stamp.start,
      broughtBy: this.#callThatWrote(node.stamp),
      isHydrated: isHydrated(node.stamp),
      defaults: defaultsOf(node),
      rejection: node.table.plans.map((plan) => node.fields && rejection(plan, node.fields)).find(Boolean),
      lists: this.#listsFor(node),
      isEditable: node.fields !== undefined && node.table.plans.length > 0,
      refersTo: referencesIn(node.fields).map(recordNameOf),
      referredBy: this.#referringTo(node).map(recordNameOf),
      shownBy: callsComputedFrom(node).map((call) => this.#inspect(call, readers)),
    }
  }

  /** The optimistic layers, in their order. */
  layers(): readonly InspectedLayer[] {
    return (this.#calls.layers?.all ?? []).map(
      ({ start, expectation: { name }, response, hasFailed, temporaryId, written }) => ({
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

  /** The mounted readers, by their call. */
  #readers(): Map<Call, NamedReader[]> {
    const found = new Map<Call, NamedReader[]>()
    for (const reader of this.#calls.readers) {
      if (!(reader instanceof Observer)) continue
      reader.inspect((_, call, endpoint) => {
        const { options } = reader
        const named = {
          name: options?.name ?? reader.label,
          endpoint,
          isFetching: reader.isAsking && options?.paused !== true,
        }
        const known = found.get(call)
        if (known === undefined) found.set(call, [named])
        else known.push(named)
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
      endpoint: nameOfEndpoint(endpoint) ?? (call.isQuery ? nameOfQuery(call.schema) : undefined) ?? call.key,
      args: call.args,
      isFetchable: typeof endpoint === 'function',
      status: call.isQuery
        ? isReadable
          ? 'Valid'
          : 'Invalid'
        : this.#calls.status(options as CacheableEndpoint, call),
      fetching,
      isQuery: call.isQuery,
      isAnswered: call.result !== noResult,
      waitsFor:
        (this.#calls.paused?.get(call.key) ?? 0) > 0
          ? 'network'
          : this.#calls.restoring?.has(call.key) === true
            ? 'storage'
            : this.#calls.store.hydration?.isLate(call.key) === true
              ? 'page'
              : undefined,
      pause:
        call.state.pausedUntil === Infinity
          ? 'hidden'
          : call.state.pausedUntil > this.#calls.clock.now()
            ? 'aborted'
            : this.#calls.isGivenUp((endpoint ?? {}) as Partial<EndpointLike>, call)
              ? 'signal'
              : undefined,
      connection: this.#connectionOf(call),
      error,
      errorExpiresAt: error === undefined ? undefined : call.state.failure?.expiresAt,
      data,
      receivedAt: isReadable ? call.age.fetchedAt : undefined,
      expiresAt: isReadable ? this.#calls.expiresAt(options as CacheableEndpoint, call) : undefined,
      retainers: call.retainers,
      readers: readers.map(({ name }) => name),
      fetchers: readers.filter(({ isFetching }) => isFetching).length,
      usedAt: call.retainers > 0 ? undefined : call.usedAt,
    }
  }

  #connectionOf(call: Call): 'stream' | 'poll' | undefined {
    for (const open of this.#calls.connections ?? [])
      if (open.call === call) return open.hasStream ? 'stream' : 'poll'
    return undefined
  }

  /** The name of a call: `Todo.getList {"group":2}`. */
  #nameOfCall(call: Call): string {
    const name = nameOfEndpoint(this.#endpointOf(call))
    // A key has the arguments.
    return name === undefined ? call.key : `${name} ${lineOfArgs(call.args)}`.trim()
  }

  /** The call whose response wrote a stamp. */
  #callThatWrote({ start, sequence, fetchedAt }: Stamp): string | undefined {
    if (sequence === 0) return undefined
    for (const calls of this.#calls.store.results.values())
      for (const call of calls)
        if (call.result !== noResult && call.stamp.start === start && call.stamp.fetchedAt === fetchedAt)
          return this.#nameOfCall(call)
    return undefined
  }

  #nameOfReference(source: RecordNode | ListNode): string {
    if (source instanceof RecordNode) return `${source.table.key} ${source.pk}`
    const { members } = source
    const count = !Array.isArray(members)
      ? 'the list'
      : members.length === 1
        ? '1 record'
        : `${members.length} records`
    const owner = holderOf(source)
    return owner === undefined ? count : `${count} of ${owner}`
  }

  /** The different arguments that readers and the call itself use its key with. */
  #argumentsOf(call: Call): readonly (readonly unknown[])[] {
    const lists = new Map([[lineOfArgs(call.args), call.args]])
    for (const reader of this.#calls.readers) {
      if (!(reader instanceof Observer) || reader.inspect((_, each) => each === call) !== true) continue
      // Connects nothing: it is how a reader passes its arguments on.
      reader.connect((_controller, _call, _endpoint, args) => {
        lists.set(lineOfArgs(args), args)
        return () => {}
      })
    }
    return lists.size > 1 ? [...lists.values()] : []
  }

  /** The loaded lists that may have a record, and why it is not in them. */
  #listsFor(node: RecordNode): readonly InspectedList[] {
    const found: InspectedList[] = []
    for (const { nodes } of this.#calls.store.lists?.tables ?? [])
      for (const list of nodes.values()) {
        if (list.members === undefined || !mayHave(list, node)) continue
        const isMember = holds(list.members, node)
        const [call] = list.call === undefined ? [] : this.#calls.store.calls(list.call)
        found.push({
          name: (call && this.#nameOfCall(call)) ?? holderOf(list) ?? lineOfArgs([list.args]),
          isMember,
          reason: isMember ? undefined : whyNotIn(list, node),
        })
      }
    return found
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
  readonly isFetching: boolean
}

function nameOfEndpoint(endpoint: unknown): string | undefined {
  const name = (endpoint as { readonly name?: unknown } | undefined)?.name
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The name of a query that is read from the cache: `all Todo`, `Query of all Todo (openTodos)`. */
function nameOfQuery(schema: unknown): string {
  return nameOfEndpoint(schema) ?? describeSource(schema as Schema)
}

/** The members of a Query, of `schema.All` and of a Collection that tell them apart: importing the classes would ship them. */
interface SourceParts {
  readonly process?: ((...args: never) => unknown) | undefined
  readonly schema?: Schema
  readonly definition?: Schema
  readonly content?: { readonly member: Schema }
}

function describeSource(schema: Schema): string {
  const contract = contractOf(schema)
  // A class has a static `process` and `schema`, too.
  if (contract instanceof EntityPlan) return contract.key
  const { process, schema: inner, definition, content } = schema as SourceParts
  if (typeof process === 'function' && inner !== undefined) {
    const of = `Query of ${describeSource(inner)}`
    return process.name === '' || process.name === 'process' ? of : `${of} (${process.name})`
  }
  if (definition !== undefined) return `all ${describeSource(definition)}`
  if (content !== undefined) return `list of ${describeSource(content.member)}`
  return contract.constructor.name
}

/** The arguments of a call in one line. */
function lineOfArgs(args: readonly unknown[]): string {
  try {
    return args
      .filter((arg, index) => index > 0 || JSON.stringify(arg) !== '{}')
      .map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
      .join(', ')
      .replace(/^\{"id":("?)([^"{},]+)\1\}/, '$2')
  } catch {
    return String(args.length)
  }
}

/** `true` for what was received with the page or from a storage. */
const isHydrated = (stamp: Stamp) =>
  stamp !== neverWritten && stamp.sequence === 0 && stamp.fetchedAt > -Infinity

const isWritten = ({ stamp }: RecordNode | ListNode) => stamp !== neverWritten

/** The record and the field that hold a list: `Board 1.columns`; `undefined` for the list of a call. */
function holderOf({ name, isFilter }: ListNode): string | undefined {
  if (isFilter) return undefined
  const end = name.lastIndexOf('] ')
  try {
    const [key, pk] = JSON.parse(name.slice(0, end + 1)) as [string, string]
    return `${key} ${pk}.${name.slice(end + 2)}`
  } catch {
    return name
  }
}

/** `true` if a list is of the type of a record. */
function mayHave(list: ListNode, { table }: RecordNode): boolean {
  const { collection } = list as Partial<{ readonly collection: CollectionSchema<unknown> }>
  const { member } = collection?.content ?? {}
  if (member === undefined) return false
  const contract = contractOf(member)
  return contract instanceof EntityPlan && contract.key === table.key
}

/** Why a list does not have a record. */
function whyNotIn(list: ListNode, { fields = {} }: RecordNode): string {
  const { part, collection } = list as ListNode & {
    readonly part: ListPart
    readonly collection: CollectionSchema<unknown>
  }
  if (!list.isFilter)
    return 'only a response with the record around it changes this list: its Collection has no nestKey'
  const { filter } = part
  const known = toKeys(fields) as Fields
  for (const [name, wanted] of Object.entries(filter)) {
    const value = known[name] ?? collection.defaultOf(name)
    if (value === undefined) return `the record has no field ${name}, so only the server can tell`
    if (typeof value !== 'object' && typeof wanted !== 'object' && String(value) !== String(wanted))
      return `its ${name} is ${JSON.stringify(value)}, and the list is for ${JSON.stringify(wanted)}`
  }
  if (collection.options.filter !== undefined) return 'the rule of the list leaves it out'
  if (part.isPlaced) return 'the list is one page, and only the server knows what is on it'
  if (part.isLimited) return 'the list is limited, and only the server knows what is in it'
  return 'the last response did not have it, and no mutation added it to this list since'
}

/** The fields of the classes of a record that were never received. */
function defaultsOf({ fields, table }: RecordNode): readonly string[] {
  if (fields === undefined) return []
  const names = table.plans.flatMap((plan) =>
    Object.entries(plan.create()).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  )
  return [...new Set(names)].filter((name) => fields[name] === undefined)
}

/** The record that a call is. */
function nodeOf(call: Call): RecordNode | undefined {
  const node = normalizedOf(call)
  return node instanceof RecordNode ? node : undefined
}

const normalizedOf = ({ result, inferred }: Call): unknown => (result === noResult ? inferred : result)

function recordNameIn(call: Call): RecordName | undefined {
  const node = nodeOf(call)
  return node && recordNameOf(node)
}

/** What `validate` says of the record of a call, or of one in its object. */
function refusalOf(call: Call): string | undefined {
  const { schema } = call
  for (const { fields, table } of referencesIn(normalizedOf(call)))
    for (const plan of schema instanceof EntityPlan ? [schema] : table.plans) {
      const refused = fields && rejection(plan, fields)
      if (refused !== undefined) return refused
    }
  return undefined
}

/** Why a call is Invalid. */
function whyMissing(call: Call): NonNullable<InspectedOrigin['missing']> {
  if (call.state.isInvalidated) return 'invalidated'
  if (call.snapshot().isReadable) return 'stale'
  if (refusalOf(call) !== undefined) return 'rejected'
  return call.result !== noResult || referencesIn(call.inferred).some(isDeleted) ? 'deleted' : 'unfetched'
}

const isDeleted = (node: RecordNode) => node.fields === undefined && isWritten(node)

/** The records and lists in a normalized value, without those in them. */
function referencesAndListsIn(value: unknown, depth = 0): (RecordNode | ListNode)[] {
  if (value instanceof RecordNode || value instanceof ListNode) return [value]
  if (value instanceof Reference || typeof value !== 'object' || value === null || depth > 8) return []
  return Object.values(value).flatMap((part) => referencesAndListsIn(part, depth + 1))
}

const recordNameOf = ({ table, pk }: RecordNode): RecordName => ({ key: table.key, pk })

function contains(pk: string, fields: Fields, text: string): boolean {
  return pk.toLowerCase().includes(text) || hasText(fields, text, 0)
}

/** Searches a value and all that is in it; of other records, their primary keys. */
function hasText(value: unknown, text: string, depth: number): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text)
  if (value === null || value === undefined || typeof value === 'function') return false
  if (value instanceof RecordNode) return value.pk.toLowerCase().includes(text)
  if (value instanceof ListNode) return hasText(value.members, text, depth + 1)
  if (typeof value !== 'object' || value instanceof Date) return String(value).toLowerCase().includes(text)
  if (depth > 4) return false
  for (const name in value)
    if (hasText((value as Readonly<Record<string, unknown>>)[name], text, depth + 1)) return true
  return false
}

/** The records that a normalized value names, without those in them. */
function referencesIn(value: unknown, depth = 0): RecordNode[] {
  if (value instanceof RecordNode) return [value]
  if (value instanceof ListNode) return referencesIn(value.members, depth + 1)
  if (value instanceof Reference || typeof value !== 'object' || value === null || depth > 8) return []
  return Object.values(value).flatMap((part) => referencesIn(part, depth + 1))
}

/** The most records that are named for a call. */
const mostRecordsOfCall = 1000

/** The records that a call was computed from. */
function recordsBehind(call: Call): readonly RecordNode[] {
  const seen = new Set<View>([call])
  const found = new Set<RecordNode>()
  // A set grows while it is gone through.
  for (const view of seen) {
    if (view instanceof RecordView) found.add(view.node)
    if (found.size >= mostRecordsOfCall) break
    for (const source of view.sources) seen.add(source)
  }
  return [...found]
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
