import type { Slot } from './flow.js'

/** What is known of the members of a list. The map is made when a member is first asked for: most lists are only read. */
export class MemberMap<Known> {
  #map: Map<Slot, Known> | undefined = new Map()
  #fill: ((map: Map<Slot, Known>) => void) | undefined

  /** Replaces all members. @param fill - sets them in an empty map */
  fillWith(fill: (map: Map<Slot, Known>) => void): void {
    this.#map = undefined
    this.#fill = fill
  }

  get(slot: Slot): Known | undefined {
    return this.#made.get(slot)
  }

  has(slot: Slot): boolean {
    return this.#made.has(slot)
  }

  set(slot: Slot, known: Known): void {
    this.#made.set(slot, known)
  }

  delete(slot: Slot): void {
    this.#made.delete(slot)
  }

  values(): Iterable<Known> {
    return this.#made.values()
  }

  get #made(): Map<Slot, Known> {
    if (this.#map === undefined) {
      this.#map = new Map()
      this.#fill?.(this.#map)
      this.#fill = undefined
    }
    return this.#map
  }
}
