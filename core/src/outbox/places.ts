import type { Clock } from '../util/clock.js'

/** The ids of mutations: they sort in the order in which the mutations were made. */
export class Places {
  readonly #controller: { readonly clock: Clock }
  readonly #tab: string
  #made = 0
  #latest = 0

  /** @param controller - its clock is read when it is needed, because a middleware is made before it */
  constructor(controller: { readonly clock: Clock }, tab: string) {
    this.#controller = controller
    this.#tab = tab
  }

  /** Returns the place of a mutation that is made now. */
  next(): { readonly id: string; readonly at: number } {
    this.#latest = Math.max(this.#latest, this.#controller.clock.now())
    const at = this.#latest
    const place = `${at.toString().padStart(15, '0')}-${(++this.#made).toString().padStart(9, '0')}`
    return { id: `${place}-${this.#tab}`, at }
  }

  /** What is made now is later than all that this tab has seen, also by a clock that stands. */
  note(id: string, at: number): void {
    this.#latest = Math.max(this.#latest, at)
    this.#made = Math.max(this.#made, Number(id.split('-')[1]) || 0)
  }
}
