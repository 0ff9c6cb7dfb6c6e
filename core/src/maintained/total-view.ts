import { FlowReader } from './flow-reader.js'
import type { StageView } from './stage-view.js'
import type { Total } from './steps.js'
import { isKept, keeperOf } from './totals.js'
import type { Keeper } from './totals.js'

/** A number, or another value, of all members of a list. */
export class TotalView extends FlowReader {
  readonly #list: StageView
  readonly #total: Total
  readonly #args: unknown
  #keeper: Keeper | undefined

  constructor(list: StageView, total: Total, args: unknown) {
    super(list)
    this.#list = list
    this.#total = total
    this.#args = args
  }

  protected take(): void {
    // The list knows the others.
    if (!isKept(this.#total)) return
    this.pending.take(
      () => this.#fill(),
      ({ before, after }) => this.#keeper?.take(before, after),
      () => {},
    )
    this.#keeper?.settle(() => this.#list.entries())
  }

  protected renew(): void {
    const { kind } = this.#total
    if (kind === 'count') this.value = this.#list.size
    else if (kind === 'first') this.value = this.#list.first
    else this.value = this.#keeper?.value
  }

  #fill(): void {
    this.#keeper = keeperOf(this.#total, this.#args, this.#list.compare)
    this.#keeper.fillWith(this.#list.entries())
  }
}
