import type { RowStorage, Storable } from './row-storage.js'

/** How many rows are looked at at once. */
const slice = 16

/** Deletes the rows whose keys begin with a text. */
export async function deleteRows(storage: RowStorage, prefix: string): Promise<void> {
  if (storage.clear !== undefined) return storage.clear(prefix)
  const rows = await storage.list(prefix)
  await storage.write(
    rows.map(([key]) => [key, undefined]),
    true,
  )
}

/**
 * Deletes rows of other scopes of an application, in slices.
 *
 * @param own - the beginning of the keys of the current scope, which stay: `kind/application/scope/`
 * @param isOver - returns `true` for a row to delete. @param scope - its scope, as the key has it
 */
export async function deleteOthers(
  storage: RowStorage,
  own: string,
  isOver: (scope: string, row: Storable) => boolean,
): Promise<void> {
  const base = own.replace(/[^/]*\/$/, '')
  for (let last: string | undefined = ''; ;) {
    const after = last.startsWith(own) ? `${own}\uffff` : last || undefined
    const rows = await storage.list(base, after, slice)
    last = rows.at(-1)?.[0]
    if (last === undefined) return
    const over = rows.filter(
      ([key, row]) => !key.startsWith(own) && isOver(key.slice(base.length).split('/')[0] as string, row),
    )
    if (over.length > 0) await storage.write(over.map(([key]) => [key, undefined]))
  }
}
