import { shareStructure } from '../util/plain.js'
import type { CallState, Observer } from './observer.js'

const nothing = Symbol('nothing selected')

/**
 * A part of what a call gives. A part that is made anew with the same content, as by `filter`, stays the object that it
 * was.
 */
export class Selection<Data, Part> {
  #select: (data: Data) => Part
  #data: unknown = nothing
  #selectOfPart: unknown
  #part: Part | undefined

  constructor(select: (data: Data) => Part) {
    this.#select = select
  }

  /** The part that a reader shows, or what it shows instead. */
  readonly read = (observer: Observer<Data>): unknown => {
    const state = observer.state() as CallState<Data>
    return state.loading || state.error !== undefined ? state : this.of(state.data, this.#select)
  }

  /** What selects from now on: that of the last render. */
  use(select: (data: Data) => Part): void {
    this.#select = select
  }

  of(data: Data, select: (data: Data) => Part): Part {
    if (data === this.#data && select === this.#selectOfPart) return this.#part as Part
    const part = shareStructure(this.#part, select(data)) as Part
    this.#data = data
    this.#selectOfPart = select
    return (this.#part = part)
  }
}
