/**
 * The views computed from one view. Most views have none or one, a shared record has many: so this is `undefined`, the
 * view itself, or an array. A removal from more than `arrayLimit` converts it to a Set, which removes without a search.
 * Not before, because an entry of a Set takes five times the memory.
 */
export type Dependents<V extends object> = undefined | V | V[] | Set<V>

const arrayLimit = 1000

/** True if there are so many that the removal of one takes long. */
export function isCrowded(dependents: Dependents<object>): boolean {
  return Array.isArray(dependents) && dependents.length > arrayLimit
}

/** @returns the dependents with `view` among them */
export function withDependent<V extends object>(dependents: Dependents<V>, view: V): Dependents<V> {
  if (dependents === undefined) return view
  if (Array.isArray(dependents)) dependents.push(view)
  else if (dependents instanceof Set) dependents.add(view)
  else return [dependents, view]
  return dependents
}

/** @returns the dependents without `view`, in the same order */
export function withoutDependent<V extends object>(dependents: Dependents<V>, view: V): Dependents<V> {
  if (dependents === undefined || dependents === view) return undefined
  if (dependents instanceof Set) {
    dependents.delete(view)
    return dependents.size === 0 ? undefined : dependents
  }
  if (!Array.isArray(dependents)) return dependents
  if (dependents.length > arrayLimit) return withoutDependent(new Set(dependents.filter(isLinked)), view)
  const index = dependents.indexOf(view)
  if (index === -1) return dependents
  dependents.splice(index, 1)
  return dependents.length === 0 ? undefined : dependents
}

/** Removes unlinked views from crowded dependents, one in each step. Others may join and leave between steps. */
export function* sweepDependents<V extends object>(source: {
  dependents: Dependents<V>
}): Generator<void, void> {
  const { dependents } = source
  if (!Array.isArray(dependents)) return
  let kept = 0
  for (let index = 0; index < dependents.length; index++) {
    const view = dependents[index] as V
    if (isLinked(view)) dependents[kept++] = view
    yield
    // One left, and all unlinked views with it.
    if (source.dependents !== dependents) return
  }
  dependents.length = kept
  if (kept === 0) source.dependents = undefined
}

/** False for a view that was removed from the graph. */
function isLinked(dependent: { readonly sources?: readonly object[] }): boolean {
  return dependent.sources?.length !== 0
}

/** The views computed from one view, as a list. */
export function viewsIn<V extends object>(dependents: Dependents<V>): readonly V[] {
  if (dependents === undefined) return []
  return dependents instanceof Set ? [...dependents] : Array.isArray(dependents) ? dependents : [dependents]
}
