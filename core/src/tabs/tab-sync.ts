import { development } from '#development'
import { changes } from '../changes/changes.js'
import type { Commit } from '../changes/commit.js'
import type { Controller } from '../controller/controller.js'
import { callsOf } from '../controller/calls-of.js'
import type { Action, MiddlewareHooks } from '../controller/middleware.js'
import { outboxOf } from '../controller/outbox-of.js'
import type { EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import { contractOf } from '../schema/contract-of.js'
import { EntityPlan } from '../schema/entity-plan.js'
import { DeleteSchema } from '../schema/delete.js'
import type { EntityClass, Schema, SchemaContract } from '../schema/schema.js'
import { isEntityClass } from '../schema/schema.js'
import { KnownEndpoints } from './known-endpoints.js'
import type { Done, Message, Told } from './message.js'
import type { SyncTabsOptions, TabChannel } from './options.js'
import { Recent, toldNameOf } from './recent.js'

/** The actions that change received data. */
type DataAction = Extract<Action, { type: 'response' | 'setResponse' | 'set' }>

/** Tells the other tabs what this one receives and writes, and takes what they tell. */
export class TabSync {
  readonly hooks: MiddlewareHooks
  readonly #controller: Controller
  readonly #options: SyncTabsOptions
  readonly #open: (name: string) => TabChannel
  readonly #tab = Math.random().toString(36).slice(2)
  readonly #known = new KnownEndpoints()
  readonly #recent: Recent
  /** By the ids of requests under way, when they were sent. */
  readonly #sentAt = new Map<number, number>()
  /** Actions that each tab makes by itself: of live connections, and of the outbox. */
  readonly #own = new WeakSet<Action>()
  /** What is told of actions; `undefined` for what other tabs have to fetch. */
  readonly #prepared = new WeakMap<Action, Told | undefined>()
  readonly #warned = new Set<string>()
  #channel: TabChannel | undefined
  #end: (() => void) | undefined
  #isDisposed = false
  /** `true` once another tab was heard: until then nothing is sent. */
  #hasOthers = false
  /** `true` while what another tab told is stored. */
  #isTaking = false
  /** `true` while data of a live connection is written. */
  #isLive = false

  constructor(controller: Controller, options: SyncTabsOptions, open: (name: string) => TabChannel) {
    this.#controller = controller
    this.#options = options
    this.#open = open
    this.#known.add(options.endpoints ?? [])
    this.#recent = new Recent(-Infinity)
    this.hooks = {
      passesOn: true,
      before: (action) => this.#before(action),
      after: (action) => this.#after(action),
    }
    // After the constructor of the Controller, whose store is needed.
    queueMicrotask(() => this.#start())
  }

  #start(): void {
    if (this.#isDisposed) return
    const { version = 1, name = 'selfsame' } = this.#options
    this.#channel = this.#open(`selfsame.tabs.${name}.${version}`)
    // eslint-disable-next-line unicorn/prefer-add-event-listener
    this.#channel.onmessage = ({ data }) => this.#hear(data as Message)
    this.#end = changes(this.#controller, (commit) => this.#tellOf(commit))
    this.#followLive()
    this.#post({ type: 'opened' })
  }

  /** Notices the writes of live connections: each tab has its own. Here, so that nobody else pays for it. */
  #followLive(): void {
    const calls = callsOf(this.#controller)
    const receive = calls.receive.bind(calls)
    calls.receive = (write) => {
      this.#isLive = true
      try {
        receive(write)
      } finally {
        this.#isLive = false
      }
    }
  }

  #dispose(): void {
    this.#isDisposed = true
    this.#end?.()
    this.#channel?.close()
    this.#channel = undefined
  }

  get #now(): number {
    return this.#controller.clock.now()
  }

  // ---- Tell ----

  #before(action: Action): void {
    const { type } = action
    if (type === 'fetch') this.#sentAt.set(action.id, this.#now)
    if ('endpoint' in action && typeof action.endpoint === 'function' && 'id' in action)
      this.#known.addOne(action.endpoint)
    const isOfOutbox =
      type === 'response' &&
      outboxOf(this.#controller).holds?.(action.id) === true &&
      action.kind === 'mutation'
    if (this.#isLive || isOfOutbox || type === 'setResponse') this.#own.add(action)
    else if (type === 'response' || type === 'set') this.#prepare(action)
    if (type === 'dispose') this.#dispose()
  }

  /** Copies what will be told: the store makes its own data of a response. */
  #prepare(action: Action & { readonly type: 'response' | 'set' }): void {
    if (!this.#hasOthers || this.#isTaking) return
    const told = toldOf(action)
    try {
      this.#prepared.set(action, structuredClone(told))
    } catch (error) {
      this.#own.add(action)
      this.#warnOf(action.type === 'set' ? 'a set' : action.endpoint.name, error)
    }
  }

  #warnOf(name: string, error: unknown): void {
    if (!development || this.#warned.has(name)) return
    this.#warned.add(name)
    warn(
      `syncTabs() does not tell other tabs of ${name}, because it cannot be cloned: ${(error as Error).message}`,
    )
  }

  #after(action: Action): void {
    const { type } = action
    if (type === 'response' || type === 'error') this.#sentAt.delete(action.id)
    if (type === 'resetAll') this.#noteReset()
    if (this.#isTaking) return
    if (type === 'invalidateAll' || type === 'expireAll') this.#tellAges(type, action.endpoint)
    else if (type === 'invalidate')
      this.#post(this.#ages({ type: 'invalidateAll', name: undefined, keys: [action.key] }))
    else if (type === 'resetAll' && this.#options.resets !== false)
      this.#post({ type: 'reset', at: this.#now })
  }

  #noteReset(): void {
    this.#recent.reset(this.#now)
    this.#sentAt.clear()
  }

  #tellAges(type: 'invalidateAll' | 'expireAll', endpoint: KeyTester): void {
    if (!this.#hasOthers) return
    const { results } = callsOf(this.#controller).store
    const keys = [...results.keys()].filter((key) => endpoint.testKey(key))
    const { name } = endpoint as Partial<EndpointLike>
    if (typeof endpoint === 'function') this.#known.addOne(endpoint as EndpointLike)
    this.#post(this.#ages({ type, name: typeof endpoint === 'function' ? name : undefined, keys }))
  }

  #ages(told: Told): Done {
    const now = this.#now
    return { type: 'done', kind: 'read', tab: this.#tab, told, from: now, at: now, touched: [] }
  }

  /** Notes what a commit received, and tells it unless another tab has told it. */
  #tellOf({ causes, received }: Commit): void {
    if (this.#isTaking) return
    const actions = causes.filter(isDataAction)
    if (actions.length === 0) return
    const changed = touchedBy(received)
    const now = this.#now
    for (const action of actions) {
      const touched = [...new Set([...changed, ...namedBy(action)])]
      const from = action.type === 'response' ? (this.#sentAt.get(action.id) ?? now) : now
      const span = { kind: this.#kindOf(action), tab: this.#tab, from, at: now, touched }
      this.#recent.note(span)
      if (this.#own.has(action) || !this.#hasOthers) continue
      const told = this.#prepared.get(action) ?? this.#madeBy(action, received)
      if (told !== undefined) this.#post({ type: 'done', told, ...span })
    }
  }

  /** What a function made of a record: the fields that it changed, without nested records. */
  #madeBy(action: DataAction, { records }: Commit['received']): Told | undefined {
    const entity = action.type === 'set' ? action.schema : undefined
    if (!isEntityClass(entity)) return undefined
    const changed = records.find(({ key }) => key === entity.key)
    const before = changed?.before?.fields ?? {}
    const fields = Object.entries(changed?.after?.fields ?? {}).filter(
      ([name, value]) => value !== before[name] && !Object.hasOwn(entity.schema ?? {}, name),
    )
    const value: unknown = Object.fromEntries(fields)
    try {
      return structuredClone({ type: 'set', entity: entity.key, isDelete: false, args: action.args, value })
    } catch (error) {
      this.#warnOf(entity.key, error)
      return undefined
    }
  }

  /** What was pushed to this tab is no more than observed. */
  #kindOf(action: DataAction): 'read' | 'mutation' {
    if (action.type === 'response') return action.kind
    return action.type === 'setResponse' || this.#own.has(action) ? 'read' : 'mutation'
  }

  #post(message: Message): void {
    if (message.type === 'done' && !this.#hasOthers) return
    this.#channel?.postMessage(message)
  }

  // ---- Take ----

  #hear(message: Message): void {
    if (this.#isDisposed) return
    this.#hasOthers = true
    if (message.type === 'opened') this.#post({ type: 'here' })
    else if (message.type === 'reset') this.#takeReset()
    else if (message.type === 'done') this.#take(message)
  }

  #takeReset(): void {
    if (this.#options.resets === false) return
    this.#while(() => {
      this.#options.onReset?.()
      this.#controller.resetAll()
    })
  }

  #take(message: Done): void {
    // A clock that is ahead makes nothing newer than now.
    const at = Math.min(message.at, this.#now)
    const done = { ...message, at, from: Math.min(message.from, at) }
    const { told } = done
    if (told.type === 'response') this.#takeResponse(done, told)
    else if (told.type === 'set') this.#takeSet(done, told)
    else this.#takeAges(told)
  }

  #takeAges({ type, name, keys }: Extract<Told, { type: 'invalidateAll' | 'expireAll' }>): void {
    const listed = new Set(keys)
    const endpoint = name === undefined ? undefined : this.#known.get(name)
    const testKey = (key: string) => listed.has(key) || endpoint?.testKey?.(key) === true
    this.#while(() => this.#controller[type]({ testKey }))
  }

  #takeResponse(done: Done, told: Extract<Told, { type: 'response' }>): void {
    const { args, key, response } = told
    const endpoint = this.#known.of(told)
    if (endpoint === undefined || this.#recent.isTooOld(done)) return
    const isRead = done.kind === 'read'
    if (isRead && !this.#holdsAny(done.touched)) return
    const standing = this.#recent.standing(done)
    const store = () => this.#controller.setResponse(endpoint, ...(args as never[]), response as never)
    if (!isRead) this.#takeOwn(done, standing, store, endpoint, endpoint.schema, args)
    else if (standing === 'newer') {
      this.#recent.note(done)
      this.#while(() => callsOf(this.#controller).receive(store))
    } else if (standing === 'beside') this.#takeAges({ type: 'expireAll', name: undefined, keys: [key] })
  }

  #takeSet(done: Done, { entity, isDelete, args, value }: Extract<Told, { type: 'set' }>): void {
    const { store } = callsOf(this.#controller)
    const plan = store.tables.get(entity)?.plans[0]
    if (plan === undefined || this.#recent.isTooOld(done)) return
    const given = plan.entity as EntityClass<{ pk(): unknown }>
    const schema = (isDelete ? new DeleteSchema(given) : given) as Schema
    const [params = {}] = args
    const set = () => this.#controller.set(schema as never, params as object, value)
    this.#takeOwn(done, this.#recent.standing(done), set, undefined, schema, args)
  }

  /** Takes what another tab wrote. If nobody knows what the server made of it, the record is Stale then. */
  #takeOwn(
    done: Done,
    standing: ReturnType<Recent['standing']>,
    write: () => void,
    endpoint: EndpointLike | undefined,
    schema: Schema | undefined,
    args: readonly unknown[],
  ): void {
    if (standing !== 'older') this.#recent.note(done)
    this.#while(() => {
      if (standing !== 'older') write()
      if (standing !== 'newer' && schema !== undefined)
        callsOf(this.#controller).write(endpoint, (transaction) => {
          transaction.expireRecordAndLists(contractOf(schema) as SchemaContract, args, true)
        })
    })
  }

  #holdsAny(touched: readonly string[]): boolean {
    const { store } = callsOf(this.#controller)
    return touched.some((name) => {
      const [kind, key = '', ...rest] = name.split(' ')
      if (kind === 'call') return store.results.has(name.slice('call '.length))
      return kind === 'record' && store.tables.get(key)?.nodes.has(rest.join(' ')) === true
    })
  }

  /** Makes a change that is not told to others, in one commit. */
  #while(change: () => void): void {
    this.#isTaking = true
    try {
      this.#controller.batch(change)
    } catch (error) {
      // A response that does not fit the schemas of this tab.
      if (development) warn(error)
    } finally {
      this.#isTaking = false
    }
  }
}

function isDataAction(cause: Commit['causes'][number]): cause is DataAction {
  return cause.type === 'response' || cause.type === 'setResponse' || cause.type === 'set'
}

/** An action as the channel carries it; `undefined` for a `set` that cannot be told. */
function toldOf(action: Action & { readonly type: 'response' | 'set' }): Told | undefined {
  const { args } = action
  if (action.type !== 'set') {
    const { key, response, endpoint } = action
    return { type: 'response', name: endpoint.name, args, key, response }
  }
  const { schema, value } = action
  const isDelete = schema instanceof DeleteSchema
  const entity: unknown = isDelete ? schema.entity : schema
  if (typeof value === 'function' || !isEntityClass(entity)) return undefined
  return { type: 'set', entity: entity.key, isDelete, args, value }
}

/** The record that the arguments name: an answer that says what was known changes nothing. */
function namedBy(action: DataAction): string[] {
  const schema = action.type === 'set' ? action.schema : action.endpoint.schema
  const contract = schema === undefined ? undefined : contractOf(schema)
  const inner = contract?.recordSchema ?? (contract as { readonly entity?: Schema } | undefined)?.entity
  const plan = inner === undefined ? contract : contractOf(inner)
  const pk = plan instanceof EntityPlan ? plan.pkOfArgs(action.args) : undefined
  return plan instanceof EntityPlan && pk !== undefined ? [toldNameOf.record(plan.key, pk)] : []
}

function touchedBy({ records, lists, calls }: Commit['received']): string[] {
  return [
    ...records.map(({ key, pk }) => toldNameOf.record(key, pk)),
    ...lists.map(({ key, args, call }) => toldNameOf.list(key, args, call)),
    ...calls.map(({ key }) => toldNameOf.call(key)),
  ]
}
