import type { EndpointLike } from '../endpoint/endpoint.js'
import { isSameInit, mergeInit, readInit } from './request-init.js'
import type { InitSource } from './request-init.js'
import { RestEndpoint, takesSameSteps } from './rest-endpoint.js'

/** The members of a resource as hooks: `get` becomes `useGet()`, which returns an endpoint of the type of `get`. */
export type HookifiedResource<R extends object> = {
  readonly [Name in Exclude<keyof R & string, 'extend'> as `use${Capitalize<Name>}`]: () => R[Name]
}

type AnyEndpoint = RestEndpoint
/** What `getRequestInit` of a returned endpoint is: it knows what it was made from. */
type HookInit = ((this: AnyEndpoint, body: unknown) => Promise<RequestInit>) & {
  readonly source: InitSource
  readonly before: unknown
}

/**
 * Turns a resource into hooks that each return an endpoint, which sends what `useInit` gives with each request: a
 * token that only components know, for example. Call the hooks where the framework calls hooks or setup.
 *
 * - Headers of `useInit` are merged by name with those of the endpoint, and beat them; so does every other member
 *   but `method` and `body`. A `signal` is one more reason to abort.
 * - A ref, a store or a getter is read when a request is made; a value is that of the hook's last call.
 * - The endpoint is the same object while the init is the same, headers compared by name, and while somebody holds
 *   it. Nothing else holds it, or the init: neither outlives the component or the request.
 * - An endpoint is named by its address, not by its init. When the user changes, call `controller.resetAll()`.
 *
 * @param resource - what `createResource` gives, or any object of REST endpoints
 * @param useInit - a hook, composable or setup function; may give `undefined` for nothing
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
    const made = new Made(member)
    hooks[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`] = () => made.with(useInit())
  }
  // Each hook gives what `extend` without a change of its types made of the member.
  return hooks as HookifiedResource<R>
}

/** The endpoints that were made of a member, as long as somebody else holds them. */
class Made {
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
    // Read first: what comes before it may take its time.
    const init = readInit(source)
    return mergeInit(await before.call(this, body), init)
  }
  const options = { getRequestInit: Object.assign(getRequestInit, { source, before }), sharesRequestWith }
  // Its types are those of the member; what was added changes none.
  return member.extend(options) as unknown as AnyEndpoint
}

/** Two of these share a request while their init is equal, although each component has its own getter or ref. */
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
