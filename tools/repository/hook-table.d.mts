/** What a hook takes and gives in one binding. */
export interface Hook {
  readonly args: readonly string[]
  readonly gives: readonly string[]
}

/** The hooks of each binding, by name. */
export function readHooks(): Readonly<Record<'react' | 'vue' | 'svelte', ReadonlyMap<string, Hook>>>

/** The table, as it stands in the docs. */
export function hookTable(hooks?: ReturnType<typeof readHooks>): Promise<string>

/** The table that is in the docs. */
export function writtenTable(): string
