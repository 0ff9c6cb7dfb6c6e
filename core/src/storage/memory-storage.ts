import type { RowStorage, Storable } from './row-storage.js'

/** Keeps rows in memory, until the page is closed: for tests, and where nothing else is allowed. */
export function memoryStorage(): RowStorage {
  const rows = new Map<string, Storable>()
  return {
    async list(prefix, after = '', limit = Infinity) {
      const keys = [...rows.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
      return keys.slice(0, limit).map((key) => [key, rows.get(key) as Storable])
    },
    read: async (keys) => keys.map((key) => rows.get(key)),
    async write(changes) {
      for (const [key, row] of changes) {
        if (row === undefined) rows.delete(key)
        else rows.set(key, row)
      }
    },
    close() {},
  }
}
