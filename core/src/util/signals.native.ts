/**
 * Adds what the signals of React Native lack, wherever they are made: `reason`, `throwIfAborted` and `AbortSignal.any` (before
 * 0.88), and the `DOMException` that is the reason of an abort. What is there stays as it is.
 *
 * @see specification 1
 */
export function completeSignals(): void {
  const platform = globalThis as { DOMException?: unknown }
  platform.DOMException ??= class DOMException extends Error {
    constructor(message = '', name = 'Error') {
      super(message)
      this.name = name
    }
  }
  const signals: Partial<AbortSignal> = AbortSignal.prototype
  if (!('reason' in signals)) addReasons()
  signals.throwIfAborted ??= function (this: AbortSignal) {
    if (this.aborted) throw this.reason
  }
  const kind: { any?: typeof AbortSignal.any } = AbortSignal
  kind.any ??= (all) => {
    const either = new AbortController()
    for (const signal of all) {
      if (signal.aborted) either.abort(signal.reason)
      else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true })
    }
    return either.signal
  }
}

/** Gives signals the reason of their abort, that of the first `abort`. */
function addReasons(): void {
  const reasons = new WeakMap<AbortSignal, unknown>()
  const controllers = AbortController.prototype
  const { abort } = controllers
  controllers.abort = function (reason: unknown = new DOMException('It was aborted.', 'AbortError')) {
    const { signal } = this
    if (!reasons.has(signal)) reasons.set(signal, reason)
    abort.call(this)
  }
  Object.defineProperty(AbortSignal.prototype, 'reason', {
    configurable: true,
    get(this: AbortSignal): unknown {
      return reasons.get(this)
    },
  })
}
