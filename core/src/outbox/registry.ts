import type { EndpointLike } from '../endpoint/endpoint.js'

/** The endpoints of an outbox, by name. */
export class Registry {
  readonly #byName = new Map<string, EndpointLike>()

  /** Adds endpoints, and the mutations of resources. */
  add(given: readonly unknown[]): void {
    for (const each of given) {
      if (isEndpoint(each)) this.#addOne(each)
      else if (typeof each === 'object' && each !== null)
        Object.values(each).forEach((member) => this.#addOne(member))
    }
  }

  #addOne(given: unknown): void {
    if (!isEndpoint(given)) return
    if (given.sideEffect === true) this.#byName.set(given.name, given)
    // The mutations of a list are made when they are read.
    for (const kind of ['push', 'unshift', 'assign', 'move', 'remove'] as const) {
      const member =
        given.sideEffect === true ? undefined : (given as { readonly [name in typeof kind]?: unknown })[kind]
      if (isEndpoint(member)) this.#byName.set(member.name, member)
    }
  }

  get(name: string): EndpointLike | undefined {
    return this.#byName.get(name)
  }

  /** Returns `true` if a mutation is written down. */
  has(endpoint: EndpointLike): boolean {
    if (endpoint.outbox !== undefined) return endpoint.outbox
    return this.#byName.has(endpoint.name) && this.#byName.get(endpoint.name)?.outbox !== false
  }
}

function isEndpoint(value: unknown): value is EndpointLike {
  return typeof value === 'function' && 'key' in value
}
