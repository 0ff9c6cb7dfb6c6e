/**
 * The views computed from one view. Most views have none or one, a shared record has many: so this is `undefined`, the
 * view itself, or an array. A removal from more than `arrayLimit` converts it to a Set, which removes without a search.
 * Not before, because an entry of a Set takes five times the memory.
 */
export type Dependents<V extends object> = undefined | V | V[] | Set<V>

const arrayLimit = 1000

/** @returns the dependents with `view` among them */
export function withDependent<V extends object>(dependents: Dependents<V>, view: V): Dependents<V> {
  if (dependents === undefined) return view
  if (dependents instanceof Set) return dependents.add(view)
  if (!Array.isArray(dependents)) return [dependents, view]
  dependents.push(view)
  return dependents
}

/** @returns the dependents without `view` */
export function withoutDependent<V extends object>(dependents: Dependents<V>, view: V): Dependents<V> {
  if (dependents === undefined || dependents === view) return undefined
  if (dependents instanceof Set) {
    dependents.delete(view)
    return dependents.size === 0 ? undefined : dependents
  }
  if (!Array.isArray(dependents)) return dependents
  if (dependents.length > arrayLimit) return withoutDependent(new Set(dependents), view)
  const index = dependents.indexOf(view)
  if (index === -1) return dependents
  const last = dependents.pop() as V
  if (last !== view) dependents[index] = last
  return dependents.length === 0 ? undefined : dependents
}

/** The views computed from one view, as a list. */
export function viewsIn<V extends object>(dependents: Dependents<V>): readonly V[] {
  if (dependents === undefined) return []
  return dependents instanceof Set ? [...dependents] : Array.isArray(dependents) ? dependents : [dependents]
}
