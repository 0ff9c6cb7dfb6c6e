/**
 * What each entry of the built packages exports, with its types.
 *
 * @returns the texts, by the file that each is kept in
 */
export function makeReports(): ReadonlyMap<string, string>
