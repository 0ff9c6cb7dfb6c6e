import { SelfsameError } from '@selfsame/core'
import { development, errors } from '@selfsame/core/bindings'
import type { Boundary } from '@selfsame/core/bindings'

const remedy =
  'Put the component into an <AsyncBoundary>, look at `pending` before `current`, or await the handle. When rendering on a server, await controller.fetch() first.'

/** The call that a reader without data waits for. Effects that read it run again when it changes. */
export interface Waiting {
  /** Identifies the call: another object once the arguments have changed. */
  call(): unknown
  /** The boundary around what threw: that of the component of a `$derived`. */
  readonly boundary: object | undefined
  /** True once there is data or an error. */
  isOver(): boolean
  /** Reports the wait to a boundary as long as the effect that calls this exists. */
  report(boundary: Boundary): void
  /** True if nothing that was shown may stay (`resetAll`). */
  readonly dropsContent: boolean
}

/**
 * Thrown by `.current` of a handle without data. `AsyncBoundary` catches it, and shows its fallback until there is data:
 * then it mounts what threw. Any other catcher gets an error with a message that says what to do.
 */
export class Suspension extends SelfsameError {
  override name = 'Suspension'
  readonly waiting: Waiting

  constructor(call: string, waiting: Waiting) {
    const { code, message } = errors.dataMissing(call, development ? remedy : '')
    super(code, message)
    this.waiting = waiting
  }
}

/**
 * Retains the calls of content that a fallback replaced, until the content is remounted, so that the requests of
 * its readers are not aborted meanwhile.
 */
export class LeftCalls {
  #fallbacks = 0
  readonly #releases = new Set<() => void>()

  /** A fallback replaces the content. @returns a function to call when the fallback is removed */
  begin(): () => void {
    this.#fallbacks++
    return () => {
      if (--this.#fallbacks > 0) return
      for (const release of this.#releases) release()
      this.#releases.clear()
    }
  }

  /** A reader was destroyed. Its fallback, if any, is mounted after that, hence the microtask. */
  leave(release: () => void): void {
    queueMicrotask(() => {
      if (this.#fallbacks > 0) this.#releases.add(release)
      else release()
    })
  }
}
