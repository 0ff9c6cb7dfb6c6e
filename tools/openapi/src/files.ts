import { namedIn, partsOfDeclaration } from './types.js'
import type { Declaration } from './types.js'

/**
 * Says in which file each declaration stands: with the only tag that uses it, or with the tag of its own resource, else in the
 * shared file. No file imports another in a circle.
 *
 * @param homes - the file of the resource of a declaration
 */
export function arrange(
  declarations: readonly Declaration[],
  fileOfTag: (tag: string) => string,
  homes: ReadonlyMap<Declaration, string>,
  shared: string,
): Map<Declaration, string> {
  const place = new Map<Declaration, string>()
  const strict = (declaration: Declaration) => {
    const files = new Set([...declaration.tags].map(fileOfTag))
    const [only, another] = files
    return only === undefined || another !== undefined ? shared : only
  }
  for (const declaration of declarations)
    place.set(declaration, homes.get(declaration) ?? strict(declaration))
  const neighbours = new Map(
    declarations.map((declaration) => [declaration, namedIn(partsOfDeclaration(declaration))]),
  )
  for (;;) {
    const circle = findCircle(neighbours, place)
    const moved = declarations.filter(
      (declaration) =>
        circle.has(place.get(declaration) ?? shared) && place.get(declaration) !== strict(declaration),
    )
    if (moved.length === 0) break
    for (const declaration of moved) place.set(declaration, strict(declaration))
  }
  // What the shared file needs is shared.
  if (!findCircle(neighbours, place).has(shared)) return place
  const open = declarations.filter((declaration) => place.get(declaration) === shared)
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const other of neighbours.get(next) ?? []) {
      if (place.get(other) === shared || strict(other) !== shared) continue
      place.set(other, shared)
      open.push(other)
    }
  return place
}

/** The files that import each other in a circle. */
function findCircle(
  neighbours: ReadonlyMap<Declaration, readonly Declaration[]>,
  place: ReadonlyMap<Declaration, string>,
): Set<string> {
  const edges = new Map<string, Set<string>>()
  for (const [declaration, others] of neighbours) {
    const from = place.get(declaration) ?? ''
    for (const other of others) {
      const to = place.get(other) ?? ''
      if (to === from) continue
      const known = edges.get(from)
      if (known === undefined) edges.set(from, new Set([to]))
      else known.add(to)
    }
  }
  // What nothing imports, or what imports nothing, is in no circle: taken away, it leaves the others.
  const importers = new Map<string, Set<string>>()
  for (const [from, targets] of edges)
    for (const to of targets) importers.set(to, (importers.get(to) ?? new Set()).add(from))
  const trim = (forward: Map<string, Set<string>>, backward: Map<string, Set<string>>) => {
    const open = [...backward.keys()].filter((file) => (forward.get(file)?.size ?? 0) === 0)
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const other of backward.get(file) ?? []) {
        const left = forward.get(other)
        if (left?.delete(file) === true && left.size === 0) open.push(other)
      }
      backward.delete(file)
    }
  }
  trim(edges, importers)
  trim(importers, edges)
  const inCircles = (file: string) => (edges.get(file)?.size ?? 0) > 0 && (importers.get(file)?.size ?? 0) > 0
  const reaches = (start: string): boolean => {
    const seen = new Set<string>()
    const open = [...(edges.get(start) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === start) return true
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(edges.get(next) ?? []))
    }
    return false
  }
  return new Set([...edges.keys()].filter((file) => inCircles(file) && reaches(file)))
}
