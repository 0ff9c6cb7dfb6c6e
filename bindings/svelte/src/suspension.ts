import { SelfsameError } from '@selfsame/core'
import { errors } from '@selfsame/core/bindings'

/** What a reader waits for that has nothing to show: read in effects, which run again when it changes. */
export interface Waiting {
  /** Stands for the call that is waited for: another object once the arguments have changed. */
  call(): unknown
  /** Whether there is something to show now, or an error. */
  isOver(): boolean
}

/**
 * Is thrown by `.current` of a handle that has nothing to show yet, and caught by `AsyncBoundary`, which shows its
 * fallback until that is over and then makes its content anew. Whoever else catches it finds a message.
 */
export class Suspension extends SelfsameError {
  override name = 'Suspension'
  readonly waiting: Waiting

  constructor(call: string, waiting: Waiting) {
    const { code, message } = errors.dataMissing(
      call,
      'Put the component into an <AsyncBoundary>, look at `pending` before `current`, or await the handle. When rendering on a server, await controller.fetch() first.',
    )
    super(code, message)
    this.waiting = waiting
  }
}

/**
 * Keeps the calls of content that a fallback replaced, until the content is made anew: a request for one of them is not
 * aborted because another one is waited for.
 */
export class LeftCalls {
  #fallbacks = 0
  readonly #releases = new Set<() => void>()

  /** A fallback stands for the content. @returns a function for when it does not any more */
  begin(): () => void {
    this.#fallbacks++
    return () => {
      if (--this.#fallbacks > 0) return
      for (const release of this.#releases) release()
      this.#releases.clear()
    }
  }

  /** A reader left. The fallback that it may have left for is made after that. */
  leave(release: () => void): void {
    queueMicrotask(() => {
      if (this.#fallbacks > 0) this.#releases.add(release)
      else release()
    })
  }
}
