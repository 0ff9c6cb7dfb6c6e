import type { EndpointLike } from '../endpoint/endpoint.js'

/** The members of a list that are mutations. They are made when they are read. */
const listMutations = ['push', 'unshift', 'assign', 'move', 'remove'] as const

/** The endpoints that a tab knows, by name. */
export class KnownEndpoints {
  readonly #byName = new Map<string, EndpointLike>()

  /** Adds endpoints, and those of resources. */
  add(given: readonly unknown[]): void {
    for (const each of given) {
      if (isNamedEndpoint(each)) this.#addWithMembers(each)
      else if (typeof each === 'object' && each !== null)
        for (const member of Object.values(each)) if (isNamedEndpoint(member)) this.#addWithMembers(member)
    }
  }

  #addWithMembers(endpoint: EndpointLike): void {
    this.addOne(endpoint)
    if (endpoint.sideEffect === true) return
    for (const name of listMutations) {
      const member = (endpoint as { readonly [kind in typeof name]?: unknown })[name]
      if (isNamedEndpoint(member)) this.addOne(member)
    }
  }

  addOne(endpoint: EndpointLike): void {
    this.#byName.set(endpoint.name, endpoint)
  }

  get(name: string): EndpointLike | undefined {
    return this.#byName.get(name)
  }

  /** Returns the endpoint of a call; `undefined` if none of that name makes that key of the arguments. */
  of({
    name,
    args,
    key,
  }: {
    readonly name: string
    readonly args: readonly unknown[]
    readonly key: string
  }): EndpointLike | undefined {
    const endpoint = this.#byName.get(name)
    try {
      return endpoint?.key(...(args as never[])) === key ? endpoint : undefined
    } catch {
      return undefined
    }
  }
}

function isNamedEndpoint(value: unknown): value is EndpointLike {
  return typeof value === 'function' && 'key' in value && 'name' in value
}
