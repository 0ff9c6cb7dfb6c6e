import { controllersApart, warn } from '../errors.js'
import type { Store } from '../store/store.js'

/** A Controller's calls, with what this looks at. */
interface SeenCache {
  readonly store: Store
}

/** Those of the page with a mounted reader. Development only. */
const onScreen = new Set<SeenCache>()
const told = new WeakSet<SeenCache>()

/** Notes that a Controller has mounted readers, or none. Development only. */
export function noteReaders(cache: SeenCache, hasReaders: boolean): void {
  if (hasReaders) onScreen.add(cache)
  else onScreen.delete(cache)
}

/**
 * Warns once of a mutation, or a write, of a Controller without readers, if what is on screen reads such records from another
 * Controller. Development only. On a server each request has a Controller.
 *
 * @param name - of the endpoint
 */
export function noteWrite(cache: SeenCache, name: string): void {
  if (onScreen.has(cache) || !('document' in globalThis)) return
  for (const other of onScreen) {
    const shared = [...cache.store.tables.values()].find(
      ({ key, nodes }) => nodes.size > 0 && (other.store.tables.get(key)?.nodes.size ?? 0) > 0,
    )
    if (shared === undefined || told.has(other)) continue
    told.add(other)
    warn(controllersApart(name, shared.key))
  }
}
