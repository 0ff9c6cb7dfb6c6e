/** A visitor who has an issue open. */
export interface Viewer {
  /** The id of the user; `undefined` for somebody who is not signed in. */
  readonly user: number | undefined
}

/** Who views which issue. A viewer is there for as long as his connection. */
export class Presence {
  readonly #viewers = new Map<number, Set<Viewer>>()
  readonly #listeners = new Map<number, Set<(users: readonly number[]) => void>>()

  /** @returns a function that ends it */
  enter(issue: number, viewer: Viewer, listener: (users: readonly number[]) => void): () => void {
    setOf(this.#viewers, issue).add(viewer)
    setOf(this.#listeners, issue).add(listener)
    this.#tell(issue)
    return () => {
      this.#listeners.get(issue)?.delete(listener)
      this.#viewers.get(issue)?.delete(viewer)
      this.#tell(issue)
    }
  }

  /** The ids of the users who view an issue, each once. */
  viewersOf(issue: number): readonly number[] {
    const ids = [...(this.#viewers.get(issue) ?? [])].flatMap(({ user }) => user ?? [])
    return [...new Set(ids)].toSorted((a, b) => a - b)
  }

  #tell(issue: number): void {
    const users = this.viewersOf(issue)
    for (const listener of this.#listeners.get(issue) ?? []) listener(users)
  }
}

function setOf<Member>(map: Map<number, Set<Member>>, key: number): Set<Member> {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = new Set<Member>()
  map.set(key, created)
  return created
}
