import { CommitJournal } from '../store/commit-journal.js'
import type { NotedCommit } from '../store/commit-journal.js'
import { allParts, dehydrateStore, listedTables } from '../store/hydration/dehydrate.js'
import type { Answer, DehydratedParts } from '../store/hydration/dehydrate.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { RecordNode } from '../store/records.js'
import { Call } from '../store/call.js'
import { noResult } from '../store/results.js'
import type { Store } from '../store/store.js'
import { getOrMake } from '../util/get-or-make.js'

type Holder = RecordNode | Answer

/** The received state of a store since it was serialized last, made of the changes of commits. */
export class StateChanges {
  readonly #store: Store
  /** The records that changed. */
  readonly #records: Set<RecordNode>
  /** The calls, and hydrated results that no call has claimed, that changed. */
  readonly #answers: Set<Answer>
  /** Calls without a result, which may show lists that came with other data. */
  readonly #unanswered = new Set<Call>()
  /** By list, what holds it and was serialized: a list is serialized with what holds it. */
  readonly #holders = new WeakMap<object, Set<Holder>>()
  /** Hydrated results that no call has claimed and that were serialized. */
  readonly #known = new WeakSet<Answer>()
  readonly #listed = new Set<string>()
  /** Ends the listening. */
  readonly end: () => void

  /**
   * @param isIgnored - returns `true` for a commit whose records are known already. What holds a list is serialized all the same: only then
   *   is it known what a change of the list concerns
   * @param onChange - called after a commit that changed anything else
   */
  constructor(store: Store, isIgnored = () => false, onChange = () => {}) {
    this.#store = store
    const { records, answers } = allParts(store)
    this.#records = new Set(records)
    this.#answers = new Set(answers)
    this.end = CommitJournal.listen(store, (commit) => {
      const isKnown = isIgnored()
      this.#note(commit, isKnown)
      if (!isKnown) onChange()
    })
  }

  #note({ records, lists, calls, opened }: NotedCommit, isKnown: boolean): void {
    for (const { target, isChanged } of records)
      if (isChanged.received && !(isKnown && isFlat(target))) this.#records.add(target)
    for (const { target, isChanged } of calls) if (isChanged.received) this.#answers.add(target)
    for (const { target, isChanged } of lists) {
      if (!isChanged.received) continue
      for (const holder of this.#holders.get(target) ?? []) this.#add(holder)
    }
    for (const call of opened) this.#unanswered.add(call)
  }

  #add(holder: Holder): void {
    if (holder instanceof RecordNode) this.#records.add(holder)
    else this.#answers.add(holder)
  }

  /** `true` if the last call of `next` has left something. */
  get hasMore(): boolean {
    return this.#records.size + this.#answers.size > 0
  }

  /**
   * Serializes what changed since the last call. Calls come after all records, so that each record that they name was serialized.
   *
   * @param most - the highest counts @default all
   */
  next(
    isWritten: (key: string) => boolean,
    most: { readonly records: number; readonly answers: number } = { records: Infinity, answers: Infinity },
  ): DehydratedState {
    const { journal } = this.#store
    journal?.commit()
    const records = takeFrom(this.#records, most.records).filter(isStored)
    if (this.#records.size > 0) return dehydrateStore(this.#store, isWritten, this.#parts(records, []))
    this.#noteAnswers()
    const answers = takeFrom(this.#answers, most.answers).filter(isStored)
    return dehydrateStore(this.#store, isWritten, this.#parts(records, answers))
  }

  #parts(records: readonly RecordNode[], answers: readonly Answer[]): DehydratedParts {
    // An answer is written with them.
    const isListed = answers.length > 0 || !this.hasMore
    const listed = isListed ? listedTables(this.#store, this.#listed) : []
    for (const key of listed) this.#listed.add(key)
    return {
      records,
      answers,
      listed,
      onList: (list, holder) => getOrMake(this.#holders, list, () => new Set<Holder>()).add(holder),
    }
  }

  /** Adds the results that no call has claimed, and calls that show lists which came with other data. */
  #noteAnswers(): void {
    for (const waiting of this.#store.hydration?.waiting ?? []) {
      if (!this.#known.has(waiting)) this.#answers.add(waiting)
      this.#known.add(waiting)
    }
    for (const call of this.#unanswered) {
      if (call.result === noResult && call.inferred === undefined && !call.state.isCollected) continue
      this.#unanswered.delete(call)
      this.#answers.add(call)
    }
  }
}

/** Takes the first parts out of a set. */
function takeFrom<Part>(parts: Set<Part>, most: number): Part[] {
  const taken: Part[] = []
  for (const part of parts) {
    if (taken.length >= most) break
    taken.push(part)
    parts.delete(part)
  }
  return taken
}

/** `true` if a record holds no list: its fields are plain values and other records. */
function isFlat({ fields = {} }: RecordNode): boolean {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'object' && value !== null && !(value instanceof RecordNode)) return false
  }
  return true
}

/** `false` for what was collected or claimed since. */
function isStored(part: Holder): boolean {
  if (part instanceof RecordNode) return part.table.nodes.get(part.pk) === part
  return !(part instanceof Call && part.state.isCollected)
}
