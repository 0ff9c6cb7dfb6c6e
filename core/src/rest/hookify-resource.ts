import type { EndpointLike } from '../endpoint/endpoint.js'
import { isSameInit, mergeInit, readInit } from './request-init.js'
import type { InitSource } from './request-init.js'
import { RestEndpoint, takesSameSteps } from './rest-endpoint.js'

/** The members of a resource as hooks: `get` becomes `useGet()`, which returns an endpoint of the type of `get`. */
export type HookifiedResource<R extends object> = {
  readonly [Name in Exclude<keyof R & string, 'extend'> as `use${Capitalize<Name>}`]: () => R[Name]
}

type AnyEndpoint = RestEndpoint
/** `getRequestInit` of an endpoint that a hook returns, with the source of its init. */
type HookInit = ((this: AnyEndpoint, body: unknown) => Promise<RequestInit>) & {
  readonly source: InitSource
  readonly before: unknown
}

/**
 * Turns a resource into hooks. Each hook returns an endpoint that adds the result of `useInit` to its requests, such as a
 * token from a context. Call the hooks in a component, like other hooks.
 *
 * - `useInit` wins over the endpoint's own init, except for `method` and `body`. Headers are merged by name. A `signal`
 *   aborts in addition to the other signals.
 * - A ref, a store or a getter is read for each request. A plain value is that of the last render.
 * - The hook returns the same endpoint while the init has the same content. The endpoint and the init are released with
 *   the component and its requests.
 * - The key of a call does not contain the init. When the user changes, call `controller.resetAll()`.
 *
 * @param resource - the result of `createResource`, or any object of REST endpoints
 * @param useInit - a hook, composable or setup function. It may return `undefined` to add nothing
 * @see specification 4.2, 5, E16
 * @example
 * const todoHooks = hookifyResource(todoResource, () => ({ headers: { 'Access-Token': useContext(Token) } }))
 *
 * const get = todoHooks.useGet()
 * const todo = useSuspense(get, { id: 5 })
 */
export function hookifyResource<R extends object>(
  resource: R,
  useInit: () => InitSource,
): HookifiedResource<R> {
  const hooks: Record<string, () => unknown> = {}
  for (const [name, member] of Object.entries(resource)) {
    if (!(member instanceof RestEndpoint)) continue
    const made = new HookedResource(member)
    hooks[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`] = () => made.with(useInit())
  }
  // Each hook returns an endpoint with the types of its member.
  return hooks as HookifiedResource<R>
}

/** The endpoints that were made from a member, until they are garbage-collected. */
class HookedResource {
  readonly #member: AnyEndpoint
  #made: WeakRef<AnyEndpoint>[] = []

  constructor(member: AnyEndpoint) {
    this.#member = member
  }

  with(source: InitSource): AnyEndpoint {
    if (source === undefined || source === null) return this.#member
    let found: AnyEndpoint | undefined
    this.#made = this.#made.filter((reference) => {
      const endpoint = reference.deref()
      if (endpoint !== undefined && isSameInit(initOf(endpoint)?.source, source)) found = endpoint
      return endpoint !== undefined
    })
    if (found === undefined) {
      found = addInit(this.#member, source)
      this.#made.push(new WeakRef(found))
    }
    return found
  }
}

function addInit(member: AnyEndpoint, source: InitSource): AnyEndpoint {
  const before = member.getRequestInit
  async function getRequestInit(this: AnyEndpoint, body: unknown): Promise<RequestInit> {
    // Read before the endpoint's own steps, which may be asynchronous.
    const init = readInit(source)
    return mergeInit(await before.call(this, body), init)
  }
  const options = { getRequestInit: Object.assign(getRequestInit, { source, before }), sharesRequestWith }
  // The added options do not change the types of the member.
  return member.extend(options) as unknown as AnyEndpoint
}

/** Two such endpoints share a request while their inits are equal, although each component has its own getter or ref. */
function sharesRequestWith(this: AnyEndpoint, other: EndpointLike): boolean {
  const [own, theirs] = [initOf(this), initOf(other)]
  if (own === theirs) return takesSameSteps(this, other)
  if (own === undefined || theirs === undefined || own.before !== theirs.before) return false
  const isSame = isSameInit(readInit(own.source), readInit(theirs.source))
  return isSame && takesSameSteps(this, other, 'getRequestInit')
}

function initOf(endpoint: object): HookInit | undefined {
  const { getRequestInit } = endpoint as { readonly getRequestInit?: Partial<HookInit> }
  return getRequestInit?.source === undefined ? undefined : (getRequestInit as HookInit)
}
