import type { OnScreen } from '@selfsame/core/testing'

/** The state of a tested hook's screen. Attachments of its elements report to it. */
export class Screen<Value> {
  readonly #failures = new Set<{ readonly error: Error; readonly reset: () => void }>()
  #fallbacks = 0
  #content: { readonly value: Value } | undefined

  get shown(): OnScreen<Value> {
    const [failure] = this.#failures
    if (failure !== undefined) return { state: 'error', ...failure }
    if (this.#fallbacks > 0 || this.#content === undefined) return { state: 'pending' }
    return { state: 'success', value: this.#content.value }
  }

  /** The content is mounted with a value. @returns a function to call when it is removed */
  show(value: Value): () => void {
    const content = { value }
    this.#content = content
    return () => {
      if (this.#content === content) this.#content = undefined
    }
  }

  /** A fallback is mounted. @returns a function to call when it is removed */
  wait(): () => void {
    this.#fallbacks++
    return () => void this.#fallbacks--
  }

  /** An error is mounted. @returns a function to call when it is removed */
  fail(error: Error, reset: () => void): () => void {
    const failure = { error, reset }
    this.#failures.add(failure)
    return () => void this.#failures.delete(failure)
  }
}
