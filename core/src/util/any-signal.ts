/**
 * Combines several signals into one that is aborted with any of them.
 *
 * @param signals - `undefined` and `null` are ignored
 * @returns `undefined` without a signal
 */
export function anySignal(...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal instanceof AbortSignal)
  const [only] = given
  return given.length > 1 ? AbortSignal.any(given) : only
}
