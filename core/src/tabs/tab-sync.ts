import { development } from '#development'
import { changes } from '../changes/changes.js'
import type { CallChange, Commit, CommittedCall } from '../changes/commit.js'
import type { Controller } from '../controller/controller.js'
import { callsOf } from '../controller/calls.js'
import { KnownEndpoints, idOf, prefixOf } from '../controller/known-endpoints.js'
import { mayBeDone } from '../controller/mutations.js'
import type { Action, MiddlewareHooks, RequestCall } from '../controller/middleware.js'
import { emptyOutbox, outboxOf } from '../controller/outbox-of.js'
import type { EndpointLike, KeyTester } from '../endpoint/endpoint.js'
import { warn } from '../errors.js'
import type { Schema } from '../schema/schema.js'
import { isEntityClass } from '../schema/schema.js'
import { epochOf, followReset, noteEnd } from '../platform/end-mark.js'
import { findLocks, openChannel } from '../platform/platform.js'
import { getOrMake } from '../util/get-or-make.js'
import { listen } from '../util/listen.js'
import type { DoneMessage, Message, News, Told, ToldCall, Visit } from './message.js'
import type { SyncTabsOptions, TabChannel, TabLocks } from './tab-options.js'
import { Recent } from './recent.js'
import type { Moment, Span } from './recent.js'
import { SharedReads, callNameOf } from './shared-reads.js'
import { SharedStreams } from './shared-streams.js'
import { TakenData } from './taken-data.js'
import { answeredBy, isDataAction, namedBy, toldOf, toldOfUpdate, touchedBy } from './telling.js'
import type { DataAction } from './telling.js'

/** What is told of an action. */
interface Prepared {
  /** `undefined` for what other tabs have to fetch. */
  readonly told: Told | undefined
  /** The key of the call whose shared stream has brought it. */
  readonly liveKey: string | undefined
}

/** How long what another tab wrote to `localStorage` before its reset is waited for, in milliseconds: messages may be faster. */
const noteWait = 1000

type ToldAges = Extract<Told, { readonly keys: readonly string[] }>

/** Tells the other tabs what this one receives and writes, and takes what they tell. */
export class TabSync {
  readonly hooks: MiddlewareHooks
  readonly #controller: Controller
  readonly #options: SyncTabsOptions
  readonly #locks: TabLocks | undefined
  readonly #tab = Math.random().toString(36).slice(2)
  readonly #known = new KnownEndpoints()
  readonly #taken: TakenData
  readonly #recent = new Recent(-Infinity)
  #reads: SharedReads | undefined
  #streams: SharedStreams | undefined
  /** By the ids of requests under way, when they were sent, and what was heard before. */
  readonly #sent = new Map<number, Pick<Span, 'from' | 'heard'>>()
  /** By other tab, the last moment that was heard of, if that was in the last second. */
  #heard: Readonly<Record<string, number>> = {}
  /** By the ids of reads that another tab has made, when it did. */
  readonly #joined = new Map<number, Span>()
  /** By action, what is told of it. */
  readonly #prepared = new WeakMap<Action, Prepared>()
  /** Actions that are not told: each tab makes them by itself, or another one has told them. */
  readonly #own = new WeakSet<Action>()
  /** Actions that a commit told of. */
  readonly #noted = new WeakSet<Action>()
  /** Actions of live connections. */
  readonly #pushed = new WeakSet<Action>()
  readonly #warned = new Set<string>()
  readonly #ends: (() => void)[] = []
  #channel: TabChannel | undefined
  #isDisposed = false
  /** `true` once another tab was heard: until then nothing is sent. */
  #hasOthers = false
  /** `true` while what another tab told is stored. */
  #isTaking = false
  /** The names of what it changed here. */
  #changed: string[] = []
  /** `true` while data of a live connection is written. */
  #isLive = false
  /** The call whose shared stream brings something now. */
  #liveKey: string | undefined
  #lastMoment = -Infinity
  /** Before the start nothing is told or taken. */
  #visit: Visit | undefined
  /** What is heard while a reset waits for its note. */
  #held: Message[] | undefined

  constructor(controller: Controller, options: SyncTabsOptions) {
    this.#controller = controller
    this.#options = options
    this.#known.list(options.endpoints ?? [], 'syncTabs()')
    this.#taken = new TakenData(controller, this.#known)
    this.hooks = {
      passesOn: true,
      before: (action) => this.#before(action),
      after: (action) => this.#after(action),
      request: (call, next) => this.#request(call, next),
    }
    // After the constructor of the Controller, whose store is needed.
    queueMicrotask(() => this.#start())
    this.#locks = findLocks(options.locks, () => {
      if (!development || (options.waitMs === 0 && options.sharesStreams !== true)) return
      // Once the channel is open, without which nothing is shared.
      queueMicrotask(() => {
        if (this.#channel !== undefined)
          warn(
            'This page cannot use Web Locks, so syncTabs() shares neither running reads nor streams. Pages need HTTPS for Web Locks, and sandboxed frames need `allow-same-origin`. If you can do without, set `locks: null`.',
          )
      })
    })
    this.#reads = this.#sharedReads()
  }

  get #owner(): string {
    return `tabs.${this.#options.name ?? outboxOf(this.#controller).name}`
  }

  get #name(): string {
    return `selfsame.${this.#owner}.${this.#options.version ?? 1}`
  }

  #start(): void {
    if (this.#isDisposed) return
    this.#visit ??= { scope: this.#scope, resetAt: 0, isNoted: false, since: this.#now }
    const channel = (this.#channel = openChannel(this.#name, this.#options.channel))
    if (channel === undefined) {
      this.#reads = undefined
      if (development)
        warn('This page has no BroadcastChannel, so syncTabs() does nothing: each tab works alone.')
      return
    }
    // eslint-disable-next-line unicorn/prefer-add-event-listener
    channel.onmessage = ({ data }) => this.#receive(data as Message)
    const page = (globalThis as { document?: Document }).document
    this.#ends.push(
      changes(this.#controller, (commit) => this.#note(commit)),
      listen(page, ['freeze'], () => this.#freeze()),
      listen(page, ['resume'], () => this.#streams?.resume()),
    )
    this.#followLive()
    this.#shareStreams()
    this.#post({ type: 'opened' })
  }

  /** A frozen tab holds nobody up. */
  #freeze(): void {
    this.#reads?.leaveAll()
    this.#streams?.freeze()
  }

  /** Notices the writes of live connections. Here, so that nobody else pays for it. */
  #followLive(): void {
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

  #dispose(): void {
    this.#isDisposed = true
    for (const end of this.#ends.splice(0)) end()
    this.#reads?.leaveAll()
    this.#channel?.close()
    this.#channel = undefined
  }

  get #now(): number {
    return this.#controller.clock.now()
  }

  /** Now, and later than any moment before in this tab: parts of a millisecond number those of one. */
  #moment(): number {
    this.#lastMoment = Math.max(this.#now, this.#lastMoment + 1 / 1024)
    return this.#lastMoment
  }

  get #scope(): string | undefined {
    const { scope = outboxOf(this.#controller).scope } = this.#options
    return scope?.()?.toString()
  }

  // ---- Share ----

  #lockOf(kind: string, call: string): string {
    return `${this.#name} ${kind} ${encodeURIComponent(this.#scope ?? '')} ${call}`
  }

  #sharedReads(): SharedReads | undefined {
    const locks = this.#locks
    const { waitMs = 5000 } = this.#options
    if (locks === undefined || waitMs === 0) return undefined
    return new SharedReads({
      locks,
      clock: this.#controller.clock,
      waitMs,
      lockOf: (call) => this.#lockOf('read', call),
      onSend: (id) => this.#noteSent(id),
    })
  }

  #shareStreams(): void {
    const locks = this.#locks
    if (locks === undefined || this.#options.sharesStreams !== true) return
    const streams = new SharedStreams({
      locks,
      lockOf: (call) => this.#lockOf('stream', call),
      bring: (key, run) => this.#bring(key, run),
      expire: (key) => this.#postAges({ type: 'expireAll', endpoint: undefined, keys: [key] }),
    })
    this.#streams = streams
    callsOf(this.#controller).shareStream = (...given) => streams.open(...given)
  }

  #bring(key: string, run: () => void): void {
    this.#liveKey = key
    try {
      run()
    } finally {
      this.#liveKey = undefined
    }
  }

  #request(call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    if (call.kind !== 'read' || this.#reads === undefined || this.#isDisposed) return next()
    return this.#reads.request(call, next)
  }

  // ---- Tell ----

  #noteSent(id: number): void {
    this.#sent.set(id, { from: this.#moment(), heard: this.#heard })
  }

  #before(action: Action): void {
    const { type } = action
    if (type === 'fetch') this.#noteSent(action.id)
    if ('endpoint' in action && typeof action.endpoint === 'function' && 'id' in action)
      this.#known.add(action.endpoint)
    if (type === 'dispose') this.#dispose()
    else if (isDataAction(action)) this.#prepare(action)
  }

  /** Copies what will be told: the store makes its own data of a response. */
  #prepare(action: DataAction): void {
    if (this.#isLive) this.#pushed.add(action)
    if (this.#isMadeByEach(action)) this.#own.add(action)
    else if (this.#hasOthers && !this.#isTaking)
      this.#prepared.set(action, { told: this.#copy(action, toldOf(action)), liveKey: this.#liveKey })
  }

  /** `true` for a read that another tab has made, and for the mutations of the outbox, which each tab settles. */
  #isMadeByEach(action: DataAction): boolean {
    if (action.type !== 'response') return false
    return action.kind === 'read' ? this.#joined.has(action.id) : outboxOf(this.#controller).holds(action.id)
  }

  /** Returns a copy of what is told; `undefined` for what cannot be cloned, which is warned of once. */
  #copy(action: DataAction | Extract<Action, { type: 'error' }>, told: Told | undefined): Told | undefined {
    try {
      return structuredClone(told)
    } catch (error) {
      this.#own.add(action)
      this.#warnOf(
        action.type === 'set' ? setNameOf(action.schema) : (action.endpoint as { name: string }).name,
        error,
      )
      return undefined
    }
  }

  #warnOf(name: string, error: unknown): void {
    if (!development || this.#warned.has(name)) return
    this.#warned.add(name)
    warn(
      `syncTabs() cannot send ${name} to other tabs, because it cannot be cloned: ${(error as Error).message}`,
    )
  }

  #after(action: Action): void {
    const { type } = action
    if (type === 'error') this.#tellLost(action)
    if (type === 'response' && action.kind === 'mutation') this.#tellUnchanged(action)
    if (type === 'response' || type === 'error') this.#ended(action.id)
    if (type === 'resetAll') this.#noteReset()
    if (this.#isTaking) return
    if (type === 'invalidateAll' || type === 'expireAll') this.#tellAges(type, action.endpoint)
    else if (type === 'invalidate')
      this.#postAges({ type: 'invalidateAll', endpoint: undefined, keys: [action.key] })
    else if (type === 'resetAll' && this.#options.resets !== false) this.#post({ type: 'reset' })
  }

  /** Tells of a mutation that failed, but that the server may have done. Nothing of it is stored. */
  #tellLost(action: Extract<Action, { type: 'error' }>): void {
    const { kind, id, endpoint, args, key } = action
    const { from } = this.#sent.get(id) ?? {}
    if (kind === 'read' || from === undefined || !this.#hasOthers || !mayBeDone(action.error)) return
    if (outboxOf(this.#controller).holds(id)) return
    const told = this.#copy(action, { type: 'lost', endpoint: idOf(endpoint), args, key })
    if (told === undefined) return
    const at = this.#moment()
    this.#post({ type: 'done', kind, tab: this.#tab, told: [told], from, at, touched: namedBy(action) })
  }

  /** Tells of a mutation that changed nothing in this tab: another one may have what it wrote. */
  #tellUnchanged(action: Extract<DataAction, { type: 'response' }>): void {
    if (action.endpoint.schema === undefined) return
    const { from } = this.#sentOf(action) ?? {}
    // A batch commits at its end.
    queueMicrotask(() => {
      if (this.#isDisposed || this.#noted.has(action)) return
      const at = this.#moment()
      const span = { kind: action.kind, tab: this.#tab, from: from ?? at, at, touched: namedBy(action) }
      this.#recent.note(span)
      if (this.#hasOthers) this.#tell([action], span, () => undefined)
    })
  }

  /** A request is answered, stored and told. */
  #ended(id: number): void {
    this.#sent.delete(id)
    this.#joined.delete(id)
    this.#reads?.leave(id)
  }

  #noteReset(): void {
    const at = this.#moment()
    const { resetAt, isNoted } =
      this.#isTaking && this.#visit ? this.#visit : { resetAt: at, isNoted: noteEnd(this.#owner, `${at}`) }
    this.#visit = { scope: this.#scope, resetAt, isNoted, since: at }
    this.#recent.reset(at)
    this.#sent.clear()
    this.#joined.clear()
  }

  #tellAges(type: ToldAges['type'], endpoint: KeyTester): void {
    const { results } = callsOf(this.#controller).store
    const keys = [...results.keys()].filter((key) => endpoint.testKey(key))
    const known = typeof endpoint === 'function' ? (endpoint as EndpointLike) : undefined
    if (known !== undefined) this.#known.add(known)
    this.#postAges({ type, endpoint: known && idOf(known), keys })
  }

  #postAges(told: ToldAges): void {
    const at = this.#moment()
    this.#recent.noteAged(told.keys, { at, tab: this.#tab })
    this.#post({ type: 'done', kind: 'read', tab: this.#tab, told: [told], from: at, at, touched: [] })
  }

  /** Notes what a commit received, and tells it unless another tab has told it. */
  #note({ causes, received }: Commit): void {
    if (this.#isTaking) {
      this.#changed.push(...touchedBy(received))
      return
    }
    const at = this.#moment()
    const aged = received.calls.filter(isAged).map(({ key }) => key)
    this.#recent.noteAged(aged, { at, tab: this.#tab })
    const actions = causes.filter(isDataAction)
    // What readers do when they are told is a commit of the same action.
    const known = new Set(actions.filter((action) => this.#noted.has(action)))
    for (const action of actions) this.#noted.add(action)
    if (actions.length === 0) return
    const changed = touchedBy(received)
    const isOfSets = actions.every(({ type }) => type === 'set')
    for (const group of groupsOf(
      actions,
      (action) => `${this.#kindOf(action)} ${this.#sentOf(action)?.from}`,
    )) {
      const named = group.flatMap((action) => [...namedBy(action), ...answeredBy(action)])
      const span = this.#spanOf(group[0] as DataAction, [...new Set([...changed, ...named])], at)
      this.#recent.note(span)
      const untold = group.filter((action) => !known.has(action))
      if (this.#hasOthers) this.#tell(untold, span, (action) => toldOfUpdate(action, received, isOfSets))
    }
  }

  /** Tells what came by one request, or by none. */
  #tell(
    actions: readonly DataAction[],
    span: Span,
    updateOf: (action: DataAction) => Told | undefined,
  ): void {
    const told: Told[] = []
    let liveKey: string | undefined
    for (const action of actions) {
      if (this.#own.has(action)) continue
      const prepared = this.#prepared.get(action)
      liveKey = prepared?.liveKey ?? liveKey
      const one = prepared?.told ?? this.#copy(action, updateOf(action))
      if (one !== undefined) told.push(one)
      // The tabs that follow the stream have to fetch it.
      else if (prepared?.liveKey !== undefined)
        told.push({ type: 'expireAll', endpoint: undefined, keys: [prepared.liveKey] })
    }
    if (told.length > 0) this.#post({ type: 'done', told, liveKey, ...span })
  }

  #spanOf(action: DataAction, touched: readonly string[], now: number): Span {
    const joined = action.type === 'response' ? this.#joined.get(action.id) : undefined
    if (joined !== undefined) return { ...joined, touched }
    const sent = this.#sentOf(action) ?? { from: now }
    return { kind: this.#kindOf(action), tab: this.#tab, ...sent, at: now, touched }
  }

  /** When the request of an action was sent; `undefined` without one. */
  #sentOf(action: DataAction): Pick<Span, 'from' | 'heard'> | undefined {
    return action.type === 'response' ? this.#sent.get(action.id) : undefined
  }

  /** What was pushed to this tab is no more than observed. */
  #kindOf(action: DataAction): Span['kind'] {
    if (action.type === 'response') return action.kind
    return action.type === 'set' && !this.#pushed.has(action) ? 'mutation' : 'push'
  }

  #post(news: News): void {
    const visit = this.#visit
    if (visit === undefined || (news.type === 'done' && !(this.#hasOthers && this.#isOf(visit)))) return
    this.#channel?.postMessage({ ...news, ...visit })
  }

  /** `true` unless the data in this tab is another user's, or may be of several. */
  #isOf({ scope }: Visit): boolean {
    return scope === this.#visit?.scope && scope === this.#scope
  }

  // ---- Take ----

  /** Hears a message. If it tells of a reset whose note is not here yet, it waits, and so do those after it: as if they were slower. */
  #receive(message: Message): void {
    const { isNoted, resetAt } = message
    const isToWait = () =>
      isNoted && resetAt > (this.#visit?.resetAt ?? 0) && !(Number(epochOf(this.#owner)) >= resetAt)
    if (this.#held !== undefined) this.#held.push(message)
    else if (this.#options.resets === false || !isToWait()) this.#hear(message)
    else {
      const held: Message[] = (this.#held = [])
      const { clock } = this.#controller
      const end = () => {
        clock.clearTimeout(timer)
        unlisten()
        this.#held = undefined
        this.#hear(message)
        for (const each of held) this.#receive(each)
      }
      const timer = clock.setTimeout(end, noteWait)
      const unlisten = listen(globalThis, ['storage'], () => {
        if (!isToWait()) end()
      })
    }
  }

  #hear(message: Message): void {
    if (this.#isDisposed) return
    this.#hasOthers = true
    const { type, resetAt, since } = message
    if (this.#options.resets !== false) this.#followResets(message)
    if (type === 'opened') this.#post({ type: 'here' })
    // Another tab has not heard of the last reset yet.
    const isLate = this.#options.resets !== false && Math.max(resetAt, since) < (this.#visit?.resetAt ?? 0)
    if (type === 'done' && this.#isOf(message) && !isLate) this.#take(message)
  }

  /** Resets this tab, if another one was reset since it has its data: it may not have been open then, or not have heard of it. */
  #followResets({ type, resetAt, isNoted }: Message): void {
    const visit = this.#visit
    if (visit === undefined || resetAt <= visit.resetAt) return
    this.#visit = { ...visit, resetAt, isNoted }
    if (type !== 'reset' && resetAt < visit.since) return
    this.#while(() => {
      this.#options.onReset?.()
      followReset(() => this.#controller.resetAll())
    })
  }

  #take(message: DoneMessage): void {
    // Only what was in the millisecond of a request matters.
    const late = Object.entries(this.#heard).filter(([, at]) => at > this.#now - 1000)
    this.#heard = { ...Object.fromEntries(late), [message.tab]: message.at }
    // A clock that is ahead makes nothing newer than this millisecond.
    const at = Math.min(message.at, Math.floor(this.#now) + 1)
    const done = { ...message, at, from: Math.min(message.from, at) }
    for (const told of done.told) if (isOfAges(told)) this.#takeAges(told, done)
    if (development && this.#name.startsWith(`selfsame.tabs.${emptyOutbox.name}.`))
      warnOfNeighbour(done.told, this.#known, this.#warned)
    const told = done.told.filter((each) => !isOfAges(each))
    if (told.length === 0 || this.#recent.isBeforeReset(done)) return
    if (done.kind === 'mutation') this.#takeOwn(done, told)
    else if (!this.#isAwaited(done, told)) this.#takeObserved(done, told)
  }

  #takeAges({ type, endpoint: id, keys }: ToldAges, moment: Moment): void {
    const listed = new Set(keys)
    const endpoint = this.#known.get(id)
    const testKey = (key: string) => listed.has(key) || endpoint?.testKey?.(key) === true
    this.#recent.noteAged(keys, moment)
    this.#while(() => this.#controller[type]({ testKey }))
  }

  /** Gives a read that waits for another tab its answer. @returns `false` if none waits, or it needs a newer answer */
  #isAwaited(done: DoneMessage, [told]: readonly Told[]): boolean {
    if (told?.type !== 'response') return false
    const call = callNameOf(told.endpoint, told.key)
    const id = this.#reads?.waitingFor(call)
    if (id === undefined || this.#recent.standing(done) !== 'newer') return false
    this.#joined.set(id, done)
    this.#reads?.take(call, told.response)
    return true
  }

  /** Takes what another tab read, or what was pushed to it, if this tab shows some of it. */
  #takeObserved(done: DoneMessage, told: readonly Told[]): void {
    const { liveKey } = done
    const kind = done.kind === 'read' ? 'read' : 'message'
    const isFollowed = liveKey !== undefined && this.#streams?.follows(liveKey) === true
    if (!isFollowed && !this.#taken.holdsAny(done.touched)) return
    const standing = this.#recent.standing(done)
    if (standing === 'older') return
    if (standing === 'newer') this.#recent.note(done)
    const calls = callsOf(this.#controller)
    this.#while(() => {
      for (const each of told) {
        if (standing === 'newer') calls.receive(() => this.#taken.store(each), kind)
        else this.#taken.expire(each)
      }
      if (standing === 'beside' && isFollowed) this.#taken.expireCall(liveKey)
    })
  }

  /** Takes what another tab wrote. If nobody knows what the server made of it, it is Stale then. */
  #takeOwn(done: DoneMessage, told: readonly Told[]): void {
    // Its answer may be newer than what was told, and be refused as older than the message.
    const isReading = callsOf(this.#controller).store.earliestRead < Infinity
    const isDoubtful = (touched: readonly string[]) =>
      isReading || this.#recent.standing({ ...done, touched }) !== 'newer'
    const expire = (touched: readonly string[]) => {
      for (const each of told) this.#taken.expire(each)
      this.#taken.expireRecords(touched)
    }
    const isStored = this.#recent.standing(done) !== 'older'
    const [unknown] = this.#taken.unknownAmong(told)
    const changed = this.#while(() => {
      if (isStored) for (const each of told) this.#taken.store(each)
      if (unknown !== undefined) this.#expireUnknown(unknown, done.touched)
      if (unknown !== undefined || isDoubtful(done.touched)) expire(done.touched)
    })
    // It may change more here than in its tab, which may have known better, or not have had it.
    if (isDoubtful(changed)) this.#while(() => expire(changed))
    if (isStored) this.#recent.note({ ...done, touched: [...new Set([...done.touched, ...changed])] })
  }

  /** Another tab has changed records by an endpoint that this one does not know. */
  #expireUnknown({ endpoint: id }: ToldCall, touched: readonly string[]): void {
    const classes = this.#taken.expireLists(touched)
    if (!development || classes.length === 0 || this.#warned.has(id)) return
    this.#warned.add(id)
    const [, name] = (id.split('\n')[1] ?? '').split(' ')
    warn(
      `syncTabs() does not know ${name}, with which another tab changed records of ${classes.join(', ')}. Their lists are fetched again here. Add it to \`endpoints\` of syncTabs(), so that this tab stores the response.`,
    )
  }

  /** Makes a change that is not told to others, in one commit. @returns the names of what it changed */
  #while(change: () => void): readonly string[] {
    this.#isTaking = true
    this.#changed = []
    try {
      this.#controller.batch(change)
    } catch (error) {
      // A response that does not fit the schemas of this tab.
      if (development) warn(error)
    } finally {
      this.#isTaking = false
    }
    return this.#changed
  }
}

/** Development only: warns once if a tab tells of an endpoint that this one knows at another prefix. It may be of another application. */
function warnOfNeighbour(told: readonly Told[], known: KnownEndpoints, warned: Set<string>): void {
  for (const each of told) {
    const id = 'endpoint' in each ? each.endpoint : undefined
    if (typeof id !== 'string' || known.get(id) !== undefined || warned.has('')) continue
    const [alike] = known.alike(id)
    if (alike === undefined) continue
    warned.add('')
    warn(
      `Another tab sent syncTabs() data of ${alike.name} at ${id.split('\n')[0] || 'its own origin'}, but this tab has it at ${prefixOf(alike) || 'its own origin'}. If these are two applications on one origin, give each syncTabs() its own \`name\`.`,
    )
  }
}

function isOfAges(told: Told): told is ToldAges {
  return 'keys' in told
}

/** Groups values by what a function says of them, in the order of the first of each. */
function groupsOf<Value>(
  values: readonly Value[],
  by: (value: Value) => string,
): readonly (readonly Value[])[] {
  const groups = new Map<string, Value[]>()
  for (const value of values) getOrMake(groups, by(value), () => [] as Value[]).push(value)
  return [...groups.values()]
}

/** `true` for an answered call that a commit made Stale or Invalid. */
function isAged({ before, after }: CallChange): boolean {
  if (before?.isAnswered !== true || after?.isAnswered !== true) return false
  return isOld(after) && !isOld(before)
}

function isOld({ status, expiresAt }: CommittedCall): boolean {
  return status === 'Invalid' || expiresAt === -Infinity
}

function setNameOf(schema: Schema): string {
  return isEntityClass(schema) ? schema.key : 'a set'
}
