import type { NetworkState, PageState } from '@selfsame/core/policies'

/** The state of a page or a network, which the scenario changes. */
class Surroundings {
  readonly #listeners = new Set<() => void>()

  /** The number of listeners. */
  get listeners(): number {
    return this.#listeners.size
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

/** A network that a scenario turns off and on. */
export class ManualNetwork extends Surroundings implements NetworkState {
  #isOnline = true

  readonly isOnline = (): boolean => this.#isOnline

  set(isOnline: boolean): void {
    this.#isOnline = isOnline
    this.tell()
  }
}

/** A page that a scenario hides and shows. */
export class ManualPage extends Surroundings implements PageState {
  #isVisible = true

  readonly isVisible = (): boolean => this.#isVisible

  /** Hides the page behind another one. */
  hide(): void {
    this.#isVisible = false
    this.tell()
  }

  /** Shows the page again. Fires two events, like a browser: it is visible, and its window has the focus. */
  show(): void {
    this.#isVisible = true
    this.tell()
    this.tell()
  }
}
