/** A request of the last moment. */
export interface Told {
  readonly kind: 'read' | 'mutation'
  /** What it was: `Article.get 5`. */
  readonly name: string
  /** `because ArticleScreen mounted; nothing was cached`. */
  readonly why: string
  /** How many readers on screen show its call. */
  readonly readers: number
  /** Its error; `undefined` if it has none so far. */
  readonly error: string | undefined
}

/** What happened in the last moment. */
export interface Moment {
  readonly requests: readonly Told[]
  /** The names of the calls that came on screen, and needed no request. */
  readonly cached: readonly string[]
}

/** What the strip says of a moment: what happened in a word, and more of it. */
export interface Line {
  readonly sign: 'cache' | 'request' | 'shared' | 'refetch' | 'save' | 'error'
  readonly title: string
  readonly text: string
}

/** Says in one line what the library did; `undefined` if it did nothing that a user may want to know. */
export function lineOf({ requests, cached }: Moment): Line | undefined {
  const failed = requests.find(({ error }) => error !== undefined)
  if (failed !== undefined) return { sign: 'error', title: 'Failed', text: `${failed.name}. ${failed.error}` }
  const [first] = requests
  if (first === undefined) return cached.length === 0 ? undefined : lineOfCache(cached)
  if (requests.length > 1) return lineOfSeveral(requests, cached)
  const also = cached.length === 0 ? '' : ` ${count(cached.length, 'other call')} served from cache.`
  const { kind, name, readers, why } = first
  if (kind === 'mutation')
    return { sign: 'save', title: '1 request', text: `${name}. Every screen shows the response.${also}` }
  const because = why.replace(/^because /, '')
  if (isRefetch(why))
    return { sign: 'refetch', title: 'Refetched', text: `${name}, because ${because}.${also}` }
  if (readers > 1)
    return { sign: 'shared', title: 'Shared', text: `1 request for ${readers} readers: ${name}.${also}` }
  return { sign: 'request', title: '1 request', text: `${name}, because ${because}.${also}` }
}

function lineOfCache(cached: readonly string[]): Line {
  return { sign: 'cache', title: 'Served from cache', text: `${listOf(cached)}. No request.` }
}

function lineOfSeveral(requests: readonly Told[], cached: readonly string[]): Line {
  const also = cached.length === 0 ? '' : ` ${count(cached.length, 'other call')} served from cache.`
  return {
    sign: 'request',
    title: `${requests.length} requests`,
    text: `${listOf([...new Set(requests.map(({ name }) => name))])}.${also}`,
  }
}

/** What a reason says of a call that had data. */
const ofRefetch =
  /Stale|became Invalid|was invalidated|data expired|network came back|regained focus|interval elapsed|retried/

/** `true` where the call had data before: it was Stale, was made Stale, was invalidated, or somebody asked for it again. */
function isRefetch(why: string): boolean {
  return ofRefetch.test(why)
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** The names that fit a line. */
const mostNames = 3

function listOf(names: readonly string[]): string {
  const shown =
    names.length > mostNames
      ? [...names.slice(0, mostNames - 1), `${names.length - mostNames + 1} more`]
      : names
  return new Intl.ListFormat('en').format(shown)
}
