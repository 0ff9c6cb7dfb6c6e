import type { MemberState, Slot } from './flow.js'
import { FlowReader } from './flow-reader.js'
import { MemberMap } from './member-map.js'
import type { StageView } from './stage-view.js'
import type { Total } from './steps.js'
import { isKept, keeperOf } from './totals.js'
import type { Keeper } from './totals.js'

/** A number, or another value, of all members of a list. */
export class TotalView extends FlowReader {
  readonly #list: StageView
  readonly #total: Total
  readonly #args: unknown
  readonly #entries = new MemberMap<MemberState>()
  #keeper: Keeper | undefined

  constructor(list: StageView, total: Total, args: unknown) {
    super(list)
    this.#list = list
    this.#total = total
    this.#args = args
  }

  protected take(): void {
    // The list knows the others.
    if (isKept(this.#total))
      this.pending.take(
        () => this.#fill(),
        (slot) => this.#leave(slot),
        (entry) => this.#add(entry),
      )
  }

  protected renew(): void {
    const { kind } = this.#total
    if (kind === 'count') this.value = this.#list.size
    else if (kind === 'first') this.value = this.#list.first
    else this.value = this.#keeper?.value
  }

  #fill(): void {
    this.#keeper = keeperOf(this.#total, this.#args, this.#list.compare)
    const entries = this.#list.entries()
    this.#entries.fillWith((map) => {
      for (const entry of entries) map.set(entry.slot, entry)
    })
    this.#keeper.fillWith(entries)
  }

  #leave(slot: Slot): MemberState | undefined {
    const before = this.#entries.get(slot)
    const now = this.#list.entryOf(slot)
    if (before === now) return undefined
    if (before !== undefined) this.#keeper?.remove(slot)
    this.#entries.delete(slot)
    return now
  }

  #add(entry: MemberState): void {
    this.#entries.set(entry.slot, entry)
    this.#keeper?.add(entry)
  }
}
