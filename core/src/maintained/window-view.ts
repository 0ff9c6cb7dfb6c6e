import { isSameList } from '../util/plain.js'
import { FlowReader } from './flow-reader.js'
import { recall } from './flow.js'
import { shareData } from '../util/shared-data.js'
import type { StageView } from './stage-view.js'
import { placesIn } from './steps.js'
import type { ListWindow } from './steps.js'

type ShownWindow = ListWindow<unknown>

/** A part of a list, with the number of all members. A change of the list costs as much as the part. */
export class WindowView extends FlowReader {
  readonly #list: StageView
  readonly #from: number
  readonly #to: number
  /** The latest is the first. */
  #shown: readonly ShownWindow[] = []

  constructor(list: StageView, args: unknown) {
    super(list)
    this.#list = list
    ;[this.#from, this.#to] = placesIn(args)
  }

  /** It asks the list for its part, whatever changed. */
  override noteChanged(): void {}

  protected take(): void {}

  protected renew(): void {
    this.value = this.isKnown ? this.#show(this.value) : undefined
  }

  #show(previous: unknown): ShownWindow {
    const members = this.#list.between(this.#from, this.#to)
    const known = this.#shown[0]?.items
    const items = isSameList(known, members) ? (known as readonly unknown[]) : shareData(members)
    const next = shareData({ items, from: this.#from, total: this.#list.size })
    // One of before an optimistic update may have been put back.
    const earlier = previous === undefined ? [] : [previous as ShownWindow]
    this.#shown = recall([...earlier, ...this.#shown], next, isSameWindow)
    return this.#shown[0] as ShownWindow
  }
}

function isSameWindow(a: ShownWindow, b: ShownWindow): boolean {
  return a.total === b.total && isSameList(a.items, b.items)
}
