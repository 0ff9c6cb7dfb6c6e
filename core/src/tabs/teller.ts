import { development } from '#development'
import type { CallChange, Commit } from '../changes/commit.js'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { idOf } from '../controller/known-endpoints.js'
import type { Action } from '../controller/middleware.js'
import { mayBeDone } from '../controller/mutations.js'
import { outboxOf } from '../controller/outbox-of.js'
import type { EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import type { Schema } from '../schema/schema.js'
import { isEntityClass } from '../schema/schema.js'
import { getOrMake } from '../util/get-or-make.js'
import type { Told, ToldAges } from './message.js'
import type { Messenger } from './messenger.js'
import type { Moment, Recent, Span } from './recent.js'
import type { SentRequests, UntouchedSpan } from './sent-requests.js'
import { answeredBy, isDataAction, namedBy, toldOf, toldOfUpdate, touchedBy } from './told-actions.js'
import type { DataAction } from './told-actions.js'

type LostAction = Extract<Action, { type: 'error' }>

/** What is told of an action. */
interface Prepared {
  /** `undefined` for what other tabs have to fetch. */
  readonly told: Told | undefined
  /** The key of the call whose shared stream has brought it. */
  readonly liveKey: string | undefined
}

interface TellerSource {
  readonly controller: Controller
  readonly requests: SentRequests
  readonly recent: Recent
  readonly messenger: Messenger
}

/** Tells the other tabs what this one receives and writes, and notes when that was. */
export class Teller {
  readonly #controller: Controller
  readonly #requests: SentRequests
  readonly #recent: Recent
  readonly #messenger: Messenger
  /** By action, what will be told of it. */
  readonly #prepared = new WeakMap<Action, Prepared>()
  /** Actions that a commit told of. */
  readonly #noted = new WeakSet<Action>()
  /** Actions of live connections. */
  readonly #pushed = new WeakSet<Action>()
  readonly #warned = new Set<string>()
  /** `true` while data of a live connection is written. */
  #isLive = false
  /** The call whose shared stream brings something now. */
  #liveKey: string | undefined

  constructor({ controller, requests, recent, messenger }: TellerSource) {
    this.#controller = controller
    this.#requests = requests
    this.#recent = recent
    this.#messenger = messenger
  }

  /** Notices the writes of live connections. Here, so that nobody else pays for it. */
  followLive(): void {
    const calls = callsOf(this.#controller)
    const receive = calls.receive.bind(calls)
    calls.receive = (...given) => {
      this.#isLive = true
      try {
        receive(...given)
      } finally {
        this.#isLive = false
      }
    }
  }

  /** Runs what a shared stream brings for a call. */
  bring(key: string, run: () => void): void {
    this.#liveKey = key
    try {
      run()
    } finally {
      this.#liveKey = undefined
    }
  }

  /** Copies what will be told: the store makes its own data of a response. */
  prepare(action: DataAction): void {
    if (this.#isLive) this.#pushed.add(action)
    if (this.#messenger.hasOthers && !this.#isMadeByEach(action))
      this.#prepared.set(action, { told: this.#copy(action, toldOf(action)), liveKey: this.#liveKey })
  }

  /** `true` for a read that another tab has made, and for the mutations of the outbox, which each tab settles. */
  #isMadeByEach(action: DataAction): boolean {
    if (action.type !== 'response') return false
    return action.kind === 'read'
      ? this.#requests.isJoined(action.id)
      : outboxOf(this.#controller).holds(action.id)
  }

  /** Returns a copy of what is told; `undefined` for what cannot be cloned, which is warned of once. */
  #copy(action: DataAction | LostAction, told: Told | undefined): Told | undefined {
    try {
      return structuredClone(told)
    } catch (error) {
      if (development) warnOfClone(action, error as Error, this.#warned)
      return undefined
    }
  }

  /** Notes what a commit received, and tells it unless another tab has told it. */
  tellCommit({ causes, received }: Commit): void {
    const moment = this.#requests.moment()
    this.#recent.noteAged(
      received.calls.filter(isAged).map(({ key }) => key),
      moment,
    )
    const actions = causes.filter(isDataAction)
    if (actions.length === 0) return
    const changed = touchedBy(received)
    const isOfSets = actions.every(({ type }) => type === 'set')
    const groups = new Map<string, { readonly times: UntouchedSpan; readonly group: DataAction[] }>()
    for (const action of actions) {
      this.#noted.add(action)
      const times = this.#timesOf(action, moment)
      getOrMake(groups, `${times.kind} ${times.from}`, () => ({ times, group: [] })).group.push(action)
    }
    for (const { times, group } of groups.values()) {
      const named = group.flatMap((action) => [...namedBy(action), ...answeredBy(action)])
      const span = { ...times, touched: [...new Set([...changed, ...named])] }
      this.#recent.note(span)
      this.#tell(group, span, (action) => toldOfUpdate(action, received, isOfSets))
    }
  }

  /** Tells of a mutation that changed nothing in this tab: another one may have what it wrote. */
  tellUnchanged(action: Extract<DataAction, { type: 'response' }>): void {
    if (action.kind === 'read' || action.endpoint.schema === undefined) return
    const times = this.#timesOf(action)
    // A batch commits at its end.
    queueMicrotask(() => {
      if (this.#noted.has(action)) return
      const span = { ...times, ...this.#requests.moment(), touched: namedBy(action) }
      this.#recent.note(span)
      this.#tell([action], span)
    })
  }

  /** Tells of a mutation that failed, but that the server may have done. Nothing of it is stored. */
  tellLost(action: LostAction): void {
    const { kind, id, endpoint, args, key } = action
    if (kind === 'read' || !this.#requests.has(id) || !this.#messenger.hasOthers) return
    if (!mayBeDone(action.error) || outboxOf(this.#controller).holds(id)) return
    const told = this.#copy(action, { type: 'lost', endpoint: idOf(endpoint), args, key })
    if (told === undefined) return
    this.#messenger.post({
      type: 'done',
      told: [told],
      ...this.#requests.timesOf(kind, id),
      touched: namedBy(action),
    })
  }

  /** Tells that the calls of an endpoint were expired or invalidated. */
  tellAges(type: ToldAges['type'], endpoint: KeyTester): void {
    const { results } = callsOf(this.#controller).store
    const keys = [...results.keys()].filter((key) => endpoint.testKey(key))
    this.tellAged(type, keys, typeof endpoint === 'function' ? idOf(endpoint as EndpointLike) : undefined)
  }

  /** Tells that calls were expired or invalidated. @param endpoint - the id of theirs, if all of its calls were */
  tellAged(type: ToldAges['type'], keys: readonly string[], endpoint?: string): void {
    const times = this.#requests.timesOf('read')
    this.#recent.noteAged(keys, times)
    this.#messenger.post({ type: 'done', told: [{ type, endpoint, keys }], ...times, touched: [] })
  }

  /** Tells what came by one request, or by none. */
  #tell(
    actions: readonly DataAction[],
    span: Span,
    updateOf?: (action: DataAction) => Told | undefined,
  ): void {
    const told: Told[] = []
    let liveKey: string | undefined
    for (const action of actions) {
      const prepared = this.#prepared.get(action)
      if (prepared === undefined) continue
      // What readers do when they are told is a commit of the same action.
      this.#prepared.delete(action)
      liveKey = prepared.liveKey ?? liveKey
      const one = prepared.told ?? this.#copy(action, updateOf?.(action))
      if (one !== undefined) told.push(one)
      // The tabs that follow the stream have to fetch it.
      else if (prepared.liveKey !== undefined)
        told.push({ type: 'expireAll', endpoint: undefined, keys: [prepared.liveKey] })
    }
    if (told.length > 0) this.#messenger.post({ type: 'done', told, liveKey, ...span })
  }

  /** What was pushed to this tab is no more than observed. */
  #timesOf(action: DataAction, moment?: Moment): UntouchedSpan {
    if (action.type === 'response') return this.#requests.timesOf(action.kind, action.id, moment)
    const isOwn = action.type === 'set' && !this.#pushed.has(action)
    return this.#requests.timesOf(isOwn ? 'mutation' : 'push', undefined, moment)
  }
}

/** `true` for an answered call that a commit made Stale. */
function isAged({ before, after }: CallChange): boolean {
  if (before?.isAnswered !== true || after?.isAnswered !== true) return false
  return after.expiresAt === -Infinity && before.expiresAt !== -Infinity
}

/** Development only: warns once of each endpoint and class. */
function warnOfClone(action: DataAction | LostAction, { message }: Error, warned: Set<string>): void {
  const name = action.type === 'set' ? setNameOf(action.schema) : (action.endpoint as EndpointLike).name
  if (warned.has(name)) return
  warned.add(name)
  warn(`syncTabs() cannot send ${name} to other tabs, because it cannot be cloned: ${message}`)
}

function setNameOf(schema: Schema): string {
  return isEntityClass(schema) ? schema.key : 'a set'
}
