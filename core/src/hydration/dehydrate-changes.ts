import { CommitJournal } from '../store/commit-journal.js'
import type { NotedCommit } from '../store/commit-journal.js'
import { allParts, dehydrateStore, listedTables } from '../store/hydration/dehydrate.js'
import type { Answer } from '../store/hydration/dehydrate.js'
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
  /** What changed. */
  #changed: Set<Holder>
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
    this.#changed = new Set([...records, ...answers])
    this.end = CommitJournal.listen(store, (commit) => {
      const isKnown = isIgnored()
      this.#note(commit, isKnown)
      if (!isKnown) onChange()
    })
  }

  #note({ records, lists, calls, opened }: NotedCommit, isKnown: boolean): void {
    for (const { target, isChanged } of records)
      if (isChanged.received && !(isKnown && isFlat(target))) this.#changed.add(target)
    for (const { target, isChanged } of calls) if (isChanged.received) this.#changed.add(target)
    for (const { target, isChanged } of lists) {
      if (!isChanged.received) continue
      for (const holder of this.#holders.get(target) ?? []) this.#changed.add(holder)
    }
    for (const call of opened) this.#unanswered.add(call)
  }

  /** Serializes what changed since the last call. */
  next(isWritten: (key: string) => boolean): DehydratedState {
    const { journal, hydration } = this.#store
    journal?.commit()
    const changed = this.#changed
    this.#changed = new Set()
    for (const waiting of hydration?.waiting ?? []) {
      if (!this.#known.has(waiting)) changed.add(waiting)
      this.#known.add(waiting)
    }
    for (const call of this.#unanswered) {
      if (call.result === noResult && call.inferred === undefined && !call.isCollected) continue
      this.#unanswered.delete(call)
      changed.add(call)
    }
    const stored = [...changed].filter(isStored)
    const records = stored.filter((part) => part instanceof RecordNode)
    const answers = stored.filter((part): part is Answer => !(part instanceof RecordNode))
    const listed = listedTables(this.#store, this.#listed)
    for (const key of listed) this.#listed.add(key)
    return dehydrateStore(this.#store, isWritten, {
      records,
      answers,
      listed,
      onList: (list, holder) => getOrMake(this.#holders, list, () => new Set<Holder>()).add(holder),
    })
  }
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
  return !(part instanceof Call && part.isCollected)
}
