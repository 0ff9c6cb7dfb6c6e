/**
 * Installs a fixture of `conformance/fixtures/` by its lock file, and unpacks our packages into it as they would be published.
 *
 * @param bindings - the bindings that it uses, beside the core: `react`
 * @returns its folder; `undefined`, with a message, where the registry cannot be reached
 * @throws {Error} in CI also where the registry cannot be reached
 */
export function prepareFixture(name: string, bindings: readonly string[]): Promise<string | undefined>

/**
 * Installs a fixture of `conformance/fixtures/` by its lock file.
 *
 * @returns its folder; `undefined`, with a message, where the registry cannot be reached
 * @throws {Error} in CI also where the registry cannot be reached
 */
export function installFixture(name: string): Promise<string | undefined>

/**
 * Packs packages as they would be published.
 *
 * @param packages - their folders: `core`, `bindings/vue`
 * @param folder - where the tarballs go
 */
export function packPackages(packages: readonly string[], folder: string): Promise<void>
