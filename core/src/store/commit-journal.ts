import { isSamePlain } from '../util/plain.js'
import type { ListNode, Pages } from './list-node.js'
import { RecordNode } from './records.js'
import type { RecordTable } from './records.js'
import { noResult } from './results.js'
import { Call } from './call.js'
import type { Failure } from './call.js'
import { neverWritten } from './stamp.js'
import type { Stamp } from './stamp.js'
import type { Store } from './store.js'
import type { Journal } from './journal.js'
import { getOrMake } from '../util/get-or-make.js'

/** What a layer may hide: the fields of a record, the members of a list, the result of a call. */
interface NotedContent {
  readonly content: unknown
  readonly stamp: Stamp
}

/** A state of a record, a list or a call, with the references of the store. */
export interface Noted extends NotedContent {
  /** Of a record, its place in the order of arrival. */
  readonly arrival: number
  /** Of a list. */
  readonly pages: Pages | undefined
  /** Of a call. */
  readonly call: NotedCall | undefined
}

interface NotedCall {
  readonly isInvalidated: boolean
  readonly isExpired: boolean
  readonly failure: Failure | undefined
  readonly fetching: boolean
  readonly loaded: Call['loaded']
}

type Target = RecordNode | ListNode | Call

/** The states of one target; `undefined` where nothing is stored. */
interface States {
  readonly received: Noted | undefined
  readonly shown: Noted | undefined
}

/** A target that a commit changed. */
export interface Change<Of extends Target = Target> {
  readonly target: Of
  readonly before: States
  readonly after: States
  readonly isChanged: { readonly received: boolean; readonly shown: boolean }
}

/** Called at the end of a commit that changed something. */
export type CommitListener = (commit: NotedCommit) => void

/** The changes of a commit, in the order in which they began. */
export interface NotedCommit {
  readonly records: readonly Change<RecordNode>[]
  readonly lists: readonly Change<ListNode>[]
  readonly calls: readonly Change<Call>[]
  /** Calls that were looked up for the first time, or changed, and have no result. */
  readonly opened: readonly Call[]
  /** `true` if garbage was collected. */
  readonly isGarbage: boolean
  /** `true` if optimistic layers ran. */
  readonly isReplay: boolean
}

/** A noted target, with its states before the commit. */
interface JournalEntry<Of extends Target> {
  readonly target: Of
  readonly before: States
}

/** Entries by table and key: garbage may be collected and received again in one commit. */
type EntriesByTarget<Of extends Target> = Map<object, Map<string, JournalEntry<Of>>>

/** Remembers the states before a commit of all that the commit touches, and compares them once at its end. */
export class CommitJournal implements Journal {
  #records: EntriesByTarget<RecordNode> = new Map()
  #lists: EntriesByTarget<ListNode> = new Map()
  #calls = new Map<Call, JournalEntry<Call>>()
  /** The received state of what layers have written. */
  readonly #hidden = new Map<Target, NotedContent>()
  /** `true` while a layer writes. */
  #isShowing = false
  #isReplay = false
  /** `true` if what was noted has been collected. */
  #isGarbage = false
  readonly #listeners = new Set<CommitListener>()
  /** Tells a listener of each commit. @returns a function that ends it */
  static listen(store: Store, listener: CommitListener): () => void {
    const journal = (store.journal as CommitJournal | undefined) ?? CommitJournal.#begin(store)
    journal.#listeners.add(listener)
    return () => {
      journal.#listeners.delete(listener)
      if (journal.#listeners.size === 0 && store.journal === journal) store.journal = undefined
    }
  }

  /** The layers run once more, so that the journal sees what they hide. */
  static #begin(store: Store): CommitJournal {
    const journal = new CommitJournal()
    store.batch(() =>
      store.below(() => {
        store.journal = journal
      }),
    )
    return journal
  }

  note(noted: object): void {
    const target = noted as Target
    this.#remember(target)
    const hidden = this.#hidden.get(target)
    if (this.#isShowing) {
      this.#isReplay = true
      if (hidden === undefined) this.#hidden.set(target, contentOf(target))
      // No layer is on the data that is about to be received.
    } else if (hidden !== undefined && hidden.content === contentOf(target).content)
      this.#hidden.delete(target)
  }

  /** `true` if nothing was noted since the last commit. */
  get isEmpty(): boolean {
    return this.#records.size + this.#lists.size + this.#calls.size === 0
  }

  show<Value>(write: () => Value): Value {
    const wasShowing = this.#isShowing
    this.#isShowing = true
    try {
      return write()
    } finally {
      this.#isShowing = wasShowing
    }
  }

  uncover(): void {
    for (const target of this.#hidden.keys()) this.#remember(target)
    this.#hidden.clear()
  }

  commit(): void {
    if (this.isEmpty) return
    const commit = {
      records: this.#changesOf(entriesOf(this.#records)),
      lists: this.#changesOf(entriesOf(this.#lists)),
      calls: this.#changesOf(this.#calls.values()),
    }
    const opened = [...this.#calls.keys()].filter(({ result }) => result === noResult)
    const isGarbage = this.#isGarbage
    const isReplay = this.#isReplay
    this.#records = new Map()
    this.#lists = new Map()
    this.#calls = new Map()
    this.#isReplay = false
    this.#isGarbage = false
    if (commit.records.length + commit.lists.length + commit.calls.length + opened.length === 0) return
    for (const listener of [...this.#listeners]) listener({ ...commit, opened, isGarbage, isReplay })
  }

  #remember(target: Target): void {
    if (target instanceof Call) {
      if (!this.#calls.has(target)) this.#calls.set(target, { target, before: this.#statesNow(target) })
      return
    }
    const entries: EntriesByTarget<Target> = target instanceof RecordNode ? this.#records : this.#lists
    const named = getOrMake(entries, target.table, () => new Map<string, JournalEntry<Target>>())
    const key = journalKeyOf(target)
    if (!named.has(key)) named.set(key, { target, before: this.#statesNow(target) })
  }

  /** The states of what is stored in place of a target, which may be collected. */
  #statesNow(target: Target): States {
    return this.#statesOf(currentOf(target))
  }

  #statesOf(target: Target | undefined): States {
    if (target === undefined) return absent
    const shown = stateOf(target)
    const hidden = this.#hidden.get(target)
    if (shown === undefined) return absent
    const { call, stamp } = shown
    if (hidden === undefined && call?.fetching !== true) return { received: shown, shown }
    const received = {
      ...shown,
      ...hidden,
      // A layer changes the age of a call only.
      ...(call === undefined ? { stamp } : { call: { ...call, fetching: false } }),
    }
    return { received: isNotedStored(received) ? received : undefined, shown }
  }

  #changesOf<Of extends Target>(entries: Iterable<JournalEntry<Of>>): Change<Of>[] {
    const changed: Change<Of>[] = []
    for (const { target, before } of entries) {
      const now = currentOf(target)
      this.#isGarbage ||= isCollected(target, now)
      const hidden = now && this.#hidden.get(now)
      if (now !== undefined && hidden?.content === contentOf(now).content) this.#hidden.delete(now)
      const after = this.#statesOf(now)
      const shown = !isSameNoted(before.shown, after.shown)
      const isOne = before.received === before.shown && after.received === after.shown
      const received = isOne ? shown : !isSameNoted(before.received, after.received)
      if (received || shown)
        changed.push({ target: now ?? target, before, after, isChanged: { received, shown } })
    }
    return changed
  }
}

const absent: States = { received: undefined, shown: undefined }

function* entriesOf<Of extends Target>(entries: EntriesByTarget<Of>): Iterable<JournalEntry<Of>> {
  for (const named of entries.values()) yield* named.values()
}

function journalKeyOf(target: RecordNode | ListNode): string {
  return target instanceof RecordNode ? target.pk : target.key
}

/** What the table holds by the key of a target now; `undefined` if that is nothing. */
function currentOf<Of extends Target>(target: Of): Of | undefined {
  if (target instanceof Call) return target.state.isCollected ? undefined : target
  const nodes: ReadonlyMap<string, Target> = (target.table as RecordTable).nodes
  return nodes.get(journalKeyOf(target)) as Of | undefined
}

/** `true` for data that is not in its table any more, although it was not taken back. */
function isCollected(target: Target, now: Target | undefined): boolean {
  return now !== target && stateOf(target) !== undefined
}

function contentOf(target: Target): NotedContent {
  const { stamp } = target
  if (target instanceof RecordNode) return { content: target.fields, stamp }
  return { content: target instanceof Call ? target.result : target.members, stamp }
}

function stateOf(target: Target): Noted | undefined {
  const state = target instanceof RecordNode ? recordState(target) : otherState(target)
  return isNotedStored(state) ? state : undefined
}

/** Made for each record of a response: one object, without a copy. */
function recordState({ fields, stamp, arrival }: RecordNode): Noted {
  return { content: fields, stamp, arrival, pages: undefined, call: undefined }
}

function otherState(target: ListNode | Call): Noted {
  const { content, stamp } = contentOf(target)
  return target instanceof Call
    ? { content, stamp, arrival: 0, pages: undefined, call: notedCall(target) }
    : { content, stamp, arrival: 0, pages: target.pages, call: undefined }
}

function notedCall({
  state: { isInvalidated, expiredAt, failure },
  stamp,
  fetching,
  loaded,
}: Call): NotedCall {
  return { isInvalidated, isExpired: stamp.sequence < expiredAt, failure, fetching, loaded }
}

/** `false` for a record that was only referred to, a list that was not loaded, and a call that was never asked. */
function isNotedStored({ content, stamp, call }: Noted): boolean {
  if (call === undefined) return content !== undefined || stamp.fetchedAt > neverWritten.fetchedAt
  return content !== noResult || call.isInvalidated || call.failure !== undefined || call.fetching
}

function isSameNoted(before: Noted | undefined, after: Noted | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return (
    before.arrival === after.arrival &&
    before.pages?.isPaged === after.pages?.isPaged &&
    isSameAge(before.stamp, after.stamp) &&
    isSameNotedCall(before.call, after.call) &&
    isSamePlain(before.content, after.content)
  )
}

function isSameAge(a: Stamp, b: Stamp): boolean {
  return a === b || (a.fetchedAt === b.fetchedAt && a.expiresAt === b.expiresAt && a.sequence === b.sequence)
}

function isSameNotedCall(a: NotedCall | undefined, b: NotedCall | undefined): boolean {
  return (
    a?.isInvalidated === b?.isInvalidated &&
    a?.isExpired === b?.isExpired &&
    a?.failure === b?.failure &&
    a?.fetching === b?.fetching &&
    a?.loaded === b?.loaded
  )
}
