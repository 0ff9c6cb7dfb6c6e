import { development } from '#development'
import type { Commit } from '../changes/commit.js'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { KnownEndpoints } from '../controller/known-endpoints.js'
import { prefixOf } from '../controller/known-endpoints.js'
import { emptyOutbox, outboxOf } from '../controller/outbox-of.js'
import { warn } from '../errors.js'
import { followReset } from '../platform/end-mark.js'
import type { DoneMessage, Told, ToldAges, ToldCall } from './message.js'
import type { Moment, Recent } from './recent.js'
import type { SentRequests } from './sent-requests.js'
import { callNameOf } from './shared-reads.js'
import type { Shared } from './sharing.js'
import type { SyncTabsOptions } from './tab-options.js'
import { TakenData } from './taken-data.js'
import { touchedBy } from './told-actions.js'

interface TakerSource {
  readonly controller: Controller
  readonly options: SyncTabsOptions
  readonly known: KnownEndpoints
  readonly requests: SentRequests
  readonly recent: Recent
  readonly shared: Shared
}

/** Takes what other tabs tell: stores it if it is newer, and makes Stale what nobody can order. */
export class Taker {
  readonly #controller: Controller
  readonly #options: SyncTabsOptions
  readonly #known: KnownEndpoints
  readonly #requests: SentRequests
  readonly #recent: Recent
  readonly #shared: Shared
  readonly #data: TakenData
  readonly #warned = new Set<string>()
  #isTaking = false
  /** The names of what is changed meanwhile. */
  #changed: string[] = []

  constructor({ controller, options, known, requests, recent, shared }: TakerSource) {
    this.#controller = controller
    this.#options = options
    this.#known = known
    this.#requests = requests
    this.#recent = recent
    this.#shared = shared
    this.#data = new TakenData(controller, known)
  }

  /** `true` while what another tab told is stored: that is not told again. */
  get isTaking(): boolean {
    return this.#isTaking
  }

  /** Notes what a commit changed meanwhile. */
  noteCommit({ received }: Commit): void {
    this.#changed.push(...touchedBy(received))
  }

  /** Another tab was reset. */
  takeReset(): void {
    this.#while(() => {
      this.#options.onReset?.()
      followReset(() => this.#controller.resetAll())
    })
  }

  take(message: DoneMessage): void {
    this.#requests.hear(message)
    // A clock that is ahead makes nothing newer than this millisecond.
    const at = Math.min(message.at, Math.floor(this.#controller.clock.now()) + 1)
    const done = { ...message, at, from: Math.min(message.from, at) }
    for (const told of done.told) if (isOfAges(told)) this.#takeAges(told, done)
    if (development && (this.#options.name ?? outboxOf(this.#controller).name) === emptyOutbox.name)
      warnOfNeighbour(done.told, this.#known, this.#warned)
    const told = done.told.filter((each) => !isOfAges(each))
    if (told.length === 0) return
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
    const id = this.#shared.reads?.waitingFor(call)
    if (id === undefined || this.#recent.standing(done) !== 'newer') return false
    this.#requests.join(id, done)
    this.#shared.reads?.take(call, told.response)
    return true
  }

  /** Takes what another tab read, or what was pushed to it, if this tab shows some of it. */
  #takeObserved(done: DoneMessage, told: readonly Told[]): void {
    const { liveKey } = done
    const kind = done.kind === 'read' ? 'read' : 'message'
    const isFollowed = liveKey !== undefined && this.#shared.streams?.follows(liveKey) === true
    if (!isFollowed && !this.#data.holdsAny(done.touched)) return
    const standing = this.#recent.standing(done)
    if (standing === 'older') return
    if (standing === 'newer') this.#recent.note(done)
    const calls = callsOf(this.#controller)
    this.#while(() => {
      for (const each of told) {
        if (standing === 'newer') calls.receive(() => this.#data.store(each), kind)
        else this.#data.expire(each)
      }
      if (standing === 'beside' && isFollowed) this.#data.expireCall(liveKey)
    })
  }

  /** Takes what another tab wrote. If nobody knows what the server made of it, it is Stale then. */
  #takeOwn(done: DoneMessage, told: readonly Told[]): void {
    // Its answer may be newer than what was told, and be refused as older than the message.
    const isReading = callsOf(this.#controller).store.earliestRead < Infinity
    const isDoubtful = (touched: readonly string[]) =>
      isReading || this.#recent.standing({ ...done, touched }) !== 'newer'
    const expire = (touched: readonly string[]) => {
      for (const each of told) this.#data.expire(each)
      this.#data.expireRecords(touched)
    }
    const isStored = this.#recent.standing(done) !== 'older'
    const [unknown] = this.#data.unknownAmong(told)
    const changed = this.#while(() => {
      if (isStored) for (const each of told) this.#data.store(each)
      if (unknown !== undefined) this.#expireUnknown(unknown, done.touched)
      if (unknown !== undefined || isDoubtful(done.touched)) expire(done.touched)
    })
    // It may change more here than in its tab, which may have known better, or not have had it.
    if (isDoubtful(changed)) this.#while(() => expire(changed))
    if (isStored) this.#recent.note({ ...done, touched: [...new Set([...done.touched, ...changed])] })
  }

  /** Another tab has changed records by an endpoint that this one does not know. */
  #expireUnknown({ endpoint: id }: ToldCall, touched: readonly string[]): void {
    const classes = this.#data.expireLists(touched)
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
