/**
 * Next loads modules twice, for server components and for client components. Both find the visitors here. Only functions of
 * the platform pass from one to the other: a Controller of one copy of the core is none for the other. The headers of a
 * visitor stay on the server, because only the name of the request gets into the page.
 */
const place = Symbol.for('@selfsame/react/next')
const shared = globalThis as { [place]?: Map<string, typeof fetch> }
const visitors = (shared[place] ??= new Map<string, typeof fetch>())

/** @param fetch - sends the requests of this visitor @returns the name of the visitor's request */
export function addVisitor(fetch: typeof globalThis.fetch): string {
  const name = crypto.randomUUID()
  visitors.set(name, fetch)
  return name
}

/** @returns `undefined` if the response has ended */
export function fetchOfVisitor(name: string): typeof fetch | undefined {
  return visitors.get(name)
}

/** Forgets a request when its response has ended. */
export function removeVisitor(name: string): void {
  visitors.delete(name)
}
