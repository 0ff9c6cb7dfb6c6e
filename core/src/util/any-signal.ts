/**
 * One signal that is aborted when one of several is.
 *
 * @param signals - those that are `undefined` or `null` do not count
 * @returns `undefined` when none counts
 */
export function anySignal(...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal instanceof AbortSignal)
  const [only] = given
  return given.length > 1 ? AbortSignal.any(given) : only
}
