import type { Database } from '../database.js'

/** The number of times an article was opened. */
export interface ViewCount {
  readonly id: number
  readonly viewCount: number
}

/** Counts the views of articles, and notifies all clients that have one open. */
export class Views {
  readonly #database: Database
  readonly #listeners = new Map<number, Set<(count: ViewCount) => void>>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Counts a view. @returns the count; `undefined` if the article does not exist */
  async add(id: number): Promise<ViewCount | undefined> {
    const { rows } = await this.#database.query<ViewCount>(
      'update article_meta set "viewCount" = "viewCount" + 1 where id = $1 returning id, "viewCount"',
      [id],
    )
    const [count] = rows
    if (count !== undefined) for (const listener of this.#listeners.get(id) ?? []) listener(count)
    return count
  }

  /** @returns a function that ends it */
  subscribe(id: number, listener: (count: ViewCount) => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }
}
