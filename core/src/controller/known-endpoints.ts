import { development } from '#development'
import type { EndpointLike } from '../endpoint/endpoint.js'
import { isUnnamed } from '../endpoint/unnamed-key.js'
import { SelfsameError, withoutCredentials } from '../errors.js'
import { getOrMake } from '../util/get-or-make.js'
import { isSamePlain } from '../util/plain.js'

/** The members of endpoints of all kinds that say where a request goes. */
interface Addressed extends EndpointLike {
  readonly method?: string
  readonly path?: string
  readonly urlPrefix?: string | undefined
  readonly searchParams?: object | undefined
  readonly searchToString?: (params: Readonly<Record<string, unknown>>) => string
  /** Of GraphQL: the address. */
  readonly url?: unknown
  readonly operation?: string
  readonly document?: unknown
}

/** No other page has it. */
const page = Math.random()

/**
 * What an endpoint is known by in a row, a message and a lock: its prefix now, and its name, method and path template. Without a path:
 * its name and the form of its key; for a GraphQL operation its address and name.
 */
export function idOf(endpoint: EndpointLike): string {
  return `${prefixOf(endpoint)}\n${endpoint.sideEffect === true} ${formOf(endpoint)}`
}

/** The beginning of the addresses of an endpoint, as it is now; `''` if there is none, or it cannot be computed yet. */
export function prefixOf(endpoint: Partial<Addressed>): string {
  try {
    const { operation, url, urlPrefix = operation && (url as string) } = endpoint
    return withoutCredentials(urlPrefix ?? '')
  } catch {
    return ''
  }
}

function formOf(endpoint: Addressed): string {
  const { method, path, operation } = endpoint
  const key = path === undefined ? sampleKeyOf(endpoint) : `${method} ${path}`
  // A document that is a function has told it by now.
  const { name } = endpoint
  return name === (operation ?? name) ? `${name} ${isUnnamed(key) ? page : ''}${key}` : name
}

/** The form of keys: that of a call with empty arguments; `''` if there is none. */
function sampleKeyOf(endpoint: EndpointLike): string {
  try {
    return endpoint.key({}, {}, {})
  } catch {
    return ''
  }
}

/** The endpoints that a page knows, by what they are known by in others. */
export class KnownEndpoints {
  /** By the rest of their ids. A prefix may be computed: it is read when an endpoint is looked for. */
  readonly #byForm = new Map<string, EndpointLike[]>()
  readonly #aliases: Readonly<Record<string, string>>

  /** @param aliases - the prefixes of today by old ones */
  constructor(aliases: Readonly<Record<string, string>> = {}) {
    this.#aliases = aliases
  }

  /**
   * Adds endpoints that an option lists, and those of resources, with the mutations of their lists.
   *
   * @throws {SelfsameError} in development `argument-invalid` for two that are known by the same and send other requests, and for one
   *   without a name
   * @returns the endpoints
   */
  list(given: readonly unknown[], entry: 'outbox()' | 'syncTabs()'): readonly EndpointLike[] {
    const listed = given
      .flatMap((each) => (isEndpoint(each) ? each : Object.values(each ?? {})))
      .filter(isEndpoint)
      .flatMap(withMutations)
    for (const endpoint of listed) {
      if (development) requireApart(endpoint, this.get(idOf(endpoint)), entry)
      this.add(endpoint)
    }
    return listed
  }

  /** Adds an endpoint, in place of one that is known by the same. */
  add(endpoint: EndpointLike): void {
    const id = idOf(endpoint)
    const alike = this.alike(id)
    const place = alike.findIndex((each) => idOf(each) === id)
    alike[place < 0 ? alike.length : place] = endpoint
  }

  /** Returns the endpoint that is known by an id now, or by it with an alias of its prefix. */
  get(id: unknown): EndpointLike | undefined {
    // A row and a message may have anything in its place.
    if (typeof id !== 'string') return undefined
    const [prefix = ''] = id.split('\n')
    const find = (by?: string) => this.alike(id).find((each) => prefixOf(each) === by)
    return find(prefix) ?? find(this.#aliases[prefix])
  }

  /** Those that differ in nothing but their prefix. */
  alike(id: string): EndpointLike[] {
    return getOrMake(this.#byForm, id.slice(id.indexOf('\n')), () => [])
  }
}

function isEndpoint(value: unknown): value is EndpointLike {
  return typeof value === 'function' && 'key' in value
}

/** An endpoint, and the mutations of its list, which are made when they are read. */
function withMutations(endpoint: EndpointLike): EndpointLike[] {
  const members = endpoint as unknown as Readonly<Record<string, unknown>>
  const kinds = endpoint.sideEffect === true ? [] : ['push', 'unshift', 'assign', 'move', 'remove']
  return [endpoint, ...kinds.map((kind) => members[kind]).filter(isEndpoint)]
}

function requireApart(endpoint: Addressed, known: Addressed | undefined, entry: string): void {
  const { name } = endpoint
  // It reads nothing.
  if (entry === 'outbox()' && endpoint.sideEffect !== true) return
  if (isUnnamed(sampleKeyOf(endpoint)))
    throw new SelfsameError(
      'argument-invalid',
      `${entry} received the Endpoint ${name}, which has no \`name\`. Another page cannot tell it from others. Set its \`name\`.`,
    )
  if (known === undefined || known === endpoint || idOf(known) !== idOf(endpoint)) return
  const isSame =
    known.sharesRequestWith?.(endpoint) === true &&
    known.urlPrefix === endpoint.urlPrefix &&
    known.document === endpoint.document &&
    isSamePlain({ ...known.searchParams }, { ...endpoint.searchParams }) &&
    sampleSearchOf(known) === sampleSearchOf(endpoint)
  if (isSame) return
  throw new SelfsameError(
    'argument-invalid',
    `${entry} received two endpoints ${name} with the same method, prefix and path, but different requests. Another page cannot tell them apart. Give one of them another \`name\`: \`.extend({ name: '…' })\`.`,
  )
}

/** How search params are written. */
function sampleSearchOf(endpoint: Addressed): string | undefined {
  try {
    return endpoint.searchToString?.({ a: [1, 2] })
  } catch {
    return undefined
  }
}
