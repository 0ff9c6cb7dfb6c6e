import { partsOf, partsOfDeclaration } from './types.js'
import type { Declaration, Type } from './types.js'

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
  for (;;) {
    const circle = findCircle(declarations, place)
    const moved = declarations.filter(
      (declaration) =>
        circle.has(place.get(declaration) ?? shared) && place.get(declaration) !== strict(declaration),
    )
    if (moved.length === 0) break
    for (const declaration of moved) place.set(declaration, strict(declaration))
  }
  // What the shared file needs is shared.
  for (const declaration of declarations)
    if (place.get(declaration) === shared && findCircle(declarations, place).has(shared)) {
      for (const other of neighboursOf(declaration)) if (strict(other) === shared) place.set(other, shared)
    }
  return place
}

/** The files that import each other in a circle. */
function findCircle(
  declarations: readonly Declaration[],
  place: ReadonlyMap<Declaration, string>,
): Set<string> {
  const edges = new Map<string, Set<string>>()
  for (const declaration of declarations) {
    const from = place.get(declaration) ?? ''
    for (const other of neighboursOf(declaration)) {
      const to = place.get(other) ?? ''
      if (to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    for (const next of edges.get(from) ?? []) {
      if (next === to) return true
      if (seen.has(next)) continue
      seen.add(next)
      if (reaches(next, to, seen)) return true
    }
    return false
  }
  return new Set([...edges.keys()].filter((file) => reaches(file, file)))
}

function neighboursOf(declaration: Declaration): Declaration[] {
  const found: Declaration[] = []
  const open: Type[] = [...partsOfDeclaration(declaration)]
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === 'named') found.push(type.declaration)
    else open.push(...partsOf(type))
  }
  return found
}
