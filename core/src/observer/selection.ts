import { shareStructure } from '../util/plain.js'
import type { CallState, Observer } from './observer.js'

const nothingSelected = Symbol('nothing selected')

/**
 * A selected part of the data of a call. A new part with equal content, such as the result of `filter`, is replaced by
 * the previous object.
 */
export class Selection<Data, Part> {
  #select: (data: Data) => Part
  #data: unknown = nothingSelected
  #selectOfPart: unknown
  #part: Part | undefined

  constructor(select: (data: Data) => Part) {
    this.#select = select
  }

  /** Returns the selected part; without data, and if the selector throws, the state of the call. */
  readonly read = (observer: Observer<Data>): unknown => {
    const state = observer.state() as CallState<Data>
    if (state.loading || state.error !== undefined) return state
    try {
      return this.of(state.data, this.#select)
    } catch {
      // The next render selects again, and throws to its boundary.
      return state
    }
  }

  /** Replaces the selector: each render passes its own. */
  use(select: (data: Data) => Part): void {
    this.#select = select
  }

  of(data: Data, select: (data: Data) => Part): Part {
    if (data === this.#data && select === this.#selectOfPart) return this.#part as Part
    const part = shareStructure(this.#part, select(data), undefined, true) as Part
    this.#data = data
    this.#selectOfPart = select
    return (this.#part = part)
  }
}
