/**
 * Compiles packages and writes both of their trees.
 *
 * @param folders - `core`, `bindings/vue`. All of them, and the codemods, by default
 */
export function buildPackages(folders?: readonly string[]): Promise<void>

/** Builds packages if one of their files is newer than their last build. Callers in several processes wait for each other. */
export function buildChangedPackages(folders?: readonly string[]): Promise<void>

/** The file that holds when a package was built. */
export function stampOf(folder: string): string
