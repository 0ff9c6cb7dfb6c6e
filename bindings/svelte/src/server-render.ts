/** One rendering on a server, which readers tell what they showed. */
export class ServerRender {
  readonly #isSame: (() => boolean)[] = []

  /** @param read - gives what the reader would show now */
  note<Shown>(shown: Shown, read: () => Shown): void {
    this.#isSame.push(() => read() === shown)
  }

  /** Whether a reader would show something else now: what was rendered is not what a page would render. */
  isBehind(): boolean {
    return this.#isSame.some((isSame) => !isSame())
  }
}

/** Finds the error of a call that a boundary showed on a server, by what stands for it; `undefined` for anything else. */
export type FindCarried = (thrown: unknown) => Error | undefined
