import { View } from '../store/view/view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { Pending, readFlow } from './flow.js'
import type { Consumer, Entry, Slot } from './flow.js'
import type { StageView } from './stage-view.js'
import type { Total } from './steps.js'
import { keeperOf } from './totals.js'
import type { Keeper } from './totals.js'

/** A number, or another value, of all members of a list. */
export class TotalView extends View implements Consumer {
  readonly #list: StageView
  readonly #total: Total
  readonly #args: unknown
  readonly #pending = new Pending()
  #entries = new Map<Slot, Entry>()
  #keeper: Keeper | undefined
  #isDue = true
  error: unknown = undefined

  constructor(list: StageView, total: Total, args: unknown) {
    super()
    this.#list = list
    this.#total = total
    this.#args = args
  }

  get isKnown(): boolean {
    return this.#list.isKnown
  }

  noteChanged(slot?: Slot): void {
    this.#pending.add(slot)
  }

  override begin(): Beginning {
    this.#isDue = true
    return 'to finish last'
  }

  override finish(graph: ViewGraph): void {
    this.update(graph)
  }

  update(graph: ViewGraph): void {
    if (!this.#isDue) return
    if (this.sources.length === 0) this.#pending.add(undefined)
    readFlow(graph, this, this.#list)
    if (!this.#isDue) return
    this.#isDue = false
    this.error = this.#list.error
    if (this.error !== undefined) return
    const { kind } = this.#total
    // The list knows them.
    if (kind === 'count') this.value = this.#list.size
    else if (kind === 'first') this.value = this.#list.first
    else this.#keep()
  }

  #keep(): void {
    try {
      this.#pending.take(
        () => this.#fill(),
        (slot) => this.#leave(slot),
        (entry) => this.#add(entry),
      )
      this.value = this.#keeper?.value
    } catch (error) {
      this.error = error
    }
  }

  #fill(): void {
    this.#keeper = keeperOf(this.#total, this.#args, this.#list.compare)
    this.#entries = new Map()
    for (const entry of this.#list.entries()) this.#add(entry)
  }

  #leave(slot: Slot): Entry | undefined {
    const before = this.#entries.get(slot)
    const now = this.#list.entryOf(slot)
    if (before === now) return undefined
    if (before !== undefined) this.#keeper?.remove(slot)
    this.#entries.delete(slot)
    return now
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.slot, entry)
    this.#keeper?.add(entry)
  }
}
