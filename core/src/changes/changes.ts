import type { Controller } from '../controller/controller.js'
import { callsOf } from '../controller/calls.js'
import type { Action } from '../controller/middleware.js'
import type { CacheableEndpoint } from '../endpoint/endpoint.js'
import type { CollectionNode } from '../lists/collection-node.js'
import { replaceReferences } from '../normalize/reference.js'
import type { Reference } from '../normalize/reference.js'
import { EntityPlan } from '../schema/entity-plan.js'
import type { Fields } from '../schema/fields.js'
import type { Schema } from '../schema/schema.js'
import type { Call } from '../store/call.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { ListNode } from '../store/list-node.js'
import { RecordNode } from '../store/records.js'
import { noResult } from '../store/results.js'
import { getOrMake } from '../util/get-or-make.js'
import { report } from '../util/report.js'
import type {
  Age,
  CallChange,
  Commit,
  CommitCause,
  CommittedCall,
  CommittedChanges,
  ListChange,
  ListState,
  RecordChange,
  RecordState,
} from './commit.js'
import { CommitJournal } from '../store/commit-journal.js'
import type { Change, Noted, NotedCommit } from '../store/commit-journal.js'

/**
 * Reports what each commit changed: records, lists and calls with their states before and after, and the cause. For
 * persistence, tabs, panels, and lists that are maintained.
 *
 * The listener is called at the end of the outermost batch, before the readers of calls are notified, so that what it
 * updates is on screen with them. It is not called for a commit that changed nothing. An error in it is reported and stops
 * nothing. It may write: another call reports that, after this one. The work is in proportion to what changed.
 *
 * With the first listener the optimistic layers of pending mutations run once more.
 *
 * @returns a function that removes the listener
 * @see specification 4.5, Changes
 * @example
 * const stop = changes(controller, ({ received }) => {
 *   for (const { key, pk, after } of received.records) database.put(key, pk, after)
 * })
 */
export function changes(controller: Controller, listener: (commit: Commit) => void): () => void {
  const commits = getOrMake(commitsOf, controller, () => new Commits(controller))
  // The same function may be given twice.
  const own = (commit: Commit) => listener(commit)
  commits.add(own)
  return () => commits.remove(own)
}

/** By Controller, what tells its listeners. */
const commitsOf = new WeakMap<Controller, Commits>()

type Which = 'received' | 'shown'

/** Tells the listeners of one Controller. */
class Commits {
  readonly #listeners = new Set<(commit: Commit) => void>()
  readonly #controller: Controller
  /** Ends what was begun for the first listener. */
  #end: (() => void) | undefined
  /** The actions that are performed, the innermost last. */
  #performed: Action[] = []
  /** The actions since the last commit. */
  #causes: CommitCause[] = []
  readonly #endpoints = new WeakMap<Call, CacheableEndpoint>()
  /** The schemas of members of several classes, which have no name of their own. */
  readonly #unions = new WeakMap<object, number>()
  #unionCount = 0
  /** Commits that listeners are not told of yet; a listener may write. */
  readonly #untold: Commit[] = []
  #isTelling = false

  constructor(controller: Controller) {
    this.#controller = controller
  }

  add(listener: (commit: Commit) => void): void {
    this.#end ??= this.#begin()
    this.#listeners.add(listener)
  }

  remove(listener: (commit: Commit) => void): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#end?.()
    this.#end = undefined
  }

  #begin(): () => void {
    const { store, pipeline } = callsOf(this.#controller)
    this.#performed = []
    this.#causes = []
    const hooks = {
      before: (action: Action) => this.#before(action),
      after: (action: Action) => this.#after(action),
      passesOn: true,
    }
    const end = CommitJournal.listen(store, (commit) => this.#note(commit))
    pipeline.hooks.push(hooks)
    return () => {
      end()
      pipeline.hooks.splice(pipeline.hooks.indexOf(hooks), 1)
    }
  }

  #before(action: Action): void {
    this.#performed.push(action)
    this.#causes.push(action)
    if (!('key' in action)) return
    const { results } = callsOf(this.#controller).store
    for (const call of results.get(action.key) ?? []) this.#endpoints.set(call, action.endpoint)
  }

  #after(action: Action): void {
    this.#performed = this.#performed.filter((performed) => performed !== action)
    const { journal } = callsOf(this.#controller).store
    // What it changed may not be committed yet.
    if ((journal as CommitJournal | undefined)?.isEmpty === true) this.#causes = [...this.#performed]
  }

  #note(noted: NotedCommit): void {
    if (noted.records.length + noted.lists.length + noted.calls.length === 0) return
    const causes = this.#causes
    this.#causes = [...this.#performed]
    if (noted.isGarbage) causes.push({ type: 'garbage' })
    if (noted.isReplay && causes.length === 0) causes.push({ type: 'replay' })
    this.#untold.push(this.#commitOf(noted, causes))
    if (this.#isTelling) return
    this.#isTelling = true
    for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
      const commit = next
      for (const listener of [...this.#listeners]) report(() => listener(commit))
    }
    this.#isTelling = false
  }

  /** Makes a commit. What was received and what is shown is made when a listener asks for it: most ask for one of them. */
  #commitOf(noted: NotedCommit, causes: readonly CommitCause[]): Commit {
    const now = this.#controller.clock.now()
    const made = new Map<Which, CommittedChanges>()
    const changesOf = (which: Which) => getOrMake(made, which, () => this.#changesOf(noted, which, now))
    return {
      causes,
      get received() {
        return changesOf('received')
      },
      get shown() {
        return changesOf('shown')
      },
    }
  }

  #changesOf({ records, lists, calls }: NotedCommit, which: Which, now: number): CommittedChanges {
    return {
      records: changed(records, which).map((change) => this.#recordChange(change, which)),
      lists: changed(lists, which).map((change) => this.#listChange(change, which)),
      calls: changed(calls, which).map((change) => this.#callChange(change, which, now)),
    }
  }

  #recordChange({ target, before, after }: Change<RecordNode>, which: Which): RecordChange {
    const { table, pk } = target
    const stateOf = (noted: Noted | undefined): RecordState | undefined =>
      noted && { ...ageOf(noted), fields: this.#plain(noted.content) as Fields, place: noted.arrival }
    return {
      key: table.key,
      entity: table.plans[0]?.entity,
      pk,
      before: stateOf(before[which]),
      after: stateOf(after[which]),
    }
  }

  #listChange({ target, before, after }: Change<ListNode>, which: Which): ListChange {
    const { call, args, isFilter } = target
    const { members } = (target as CollectionNode).collection
    const stateOf = (noted: Noted | undefined): ListState | undefined =>
      noted && {
        ...ageOf(noted),
        members: this.#plain(noted.content),
        isPaged: noted.pages?.isPaged === true,
      }
    return {
      id: this.#idOf(target),
      call,
      args,
      key: isFilter && typeof members === 'string' ? members : undefined,
      before: stateOf(before[which]),
      after: stateOf(after[which]),
    }
  }

  #callChange({ target, before, after }: Change<Call>, which: Which, now: number): CallChange {
    const { key, args, schema } = target
    const stateOf = (noted: Noted | undefined) => noted && this.#callState(noted, now)
    return {
      key,
      args,
      schema: schema instanceof EntityPlan ? schema.entity : (schema as Schema | undefined),
      endpoint: this.#endpoints.get(target),
      before: stateOf(before[which]),
      after: stateOf(after[which]),
    }
  }

  #callState({ content, stamp, call }: Noted, now: number): CommittedCall {
    const isAnswered = content !== noResult
    const expiresAt = call?.isExpired === true ? -Infinity : stamp.expiresAt
    const isReadable = isAnswered && call?.isInvalidated !== true
    const status: ExpiryStatus = !isReadable ? 'Invalid' : expiresAt > now ? 'Valid' : 'Stale'
    return {
      data: isAnswered ? this.#plain(content) : undefined,
      isAnswered,
      status,
      error: call?.failure?.error,
      fetching: call?.fetching === true,
      receivedAt: stamp.fetchedAt,
      expiresAt,
      order: stamp.sequence,
    }
  }

  #plain(value: unknown): unknown {
    return replaceReferences(value, (reference) => this.#plainReference(reference))
  }

  #plainReference(reference: Reference): unknown {
    if (reference instanceof ListNode) return Object.freeze({ list: this.#idOf(reference) })
    return reference instanceof RecordNode ? reference.pk : reference.toKeys()
  }

  #idOf(list: ListNode): string {
    const { members } = (list as CollectionNode).collection
    const name = typeof members === 'object' && members !== null ? this.#unionOf(members) : members
    return `${list.isFilter ? String(name) : ''} ${list.key}`
  }

  #unionOf(members: object): number {
    return getOrMake(this.#unions, members, () => ++this.#unionCount)
  }
}

/** The changes of the received or of the shown data. */
function changed<Of extends Change>(all: readonly Of[], which: Which): readonly Of[] {
  return all.filter(({ isChanged }) => isChanged[which])
}

function ageOf({ stamp }: Noted): Age {
  return { receivedAt: stamp.fetchedAt, expiresAt: stamp.expiresAt, order: stamp.sequence }
}
