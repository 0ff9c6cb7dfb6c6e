/**
 * The guides as Markdown, by their path below `docs` of the core. Links lead to each other, and to the repository for what the
 * package does not have. Pictures are their descriptions.
 */
export function packedGuides(): ReadonlyMap<string, string>

/** The compact guide, which each package carries: the page of the docs without its links, and a list of the guides. */
export function compactGuide(): string

/** The entries of a package that users import, such as `@selfsame/core/rest`. */
export function entriesOf(folder: string): string[]
