/**
 * Writes the flag `development` as a literal wherever a module reads it.
 *
 * @param code - an ES module, as TypeScript emits it
 * @returns the module without the import of the flag, and without comments
 * @throws {Error} if the flag is imported in another way, such as under another name
 */
export function withFlag(code: string, value: boolean): Promise<string>
