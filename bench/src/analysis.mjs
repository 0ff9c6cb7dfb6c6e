/**
 * Why Selfsame misses what it is held to: where the time goes, by profile, and what was tried. By scenario; shown where
 * a run misses a target of that scenario. To be looked at again whenever the store changes.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const analysis = {}
