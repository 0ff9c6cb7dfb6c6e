import type { NetworkState, PageState } from '@selfsame/core/policies'

/** What a page or a network says of itself, changed by the scenario. */
class Surroundings {
  readonly #listeners = new Set<() => void>()

  /** How many listen. */
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

/** A network that a scenario cuts and mends. */
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

  /** Another page is in front. */
  hide(): void {
    this.#isVisible = false
    this.tell()
  }

  /** It is looked at again. As a browser does, it says so twice: it is visible, and its window got the focus. */
  show(): void {
    this.#isVisible = true
    this.tell()
    this.tell()
  }
}
