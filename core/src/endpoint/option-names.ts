import { development } from '#development'
import { warn } from '../errors.js'

/** The options of all kinds of endpoints, of resources, and of the policies of this package. */
const knownOptions: readonly string[] = development
  ? [
      'name schema sideEffect key testKey update dataExpiryLength errorExpiryLength pollFrequency pollWhileHidden stream',
      'errorPolicy mayBeEmpty invalidIfStale policy dispose getOptimisticResponse validate signal ownsPayload fetch url',
      'retry refetchOnFocus refetchOnReconnect refetchOnInterval pauseOffline throttle outbox',
      'path urlPrefix method searchParams body paginationField paginatedList refetchPages memberPath content process',
      'searchToString getHeaders getRequestInit fetchResponse parseResponse',
      'optimistic nonFilterArgumentKeys placeArgumentKeys orderArgumentKeys limitArgumentKeys filter orderBy',
      'Endpoint Collection',
    ].flatMap((names) => names.split(' '))
  : []

/** The misspellings that were told. */
const warnedOptions = new Set<string>()

/**
 * Warns of an option that is likely a misspelling, once for each. For development.
 *
 * @param fallback - the name of an endpoint that is given none
 * @param endpoint - an option that its class has, or names in its source, is none
 */
export function warnOfMisspelling(
  endpoint: object,
  fallback: string,
  options: { readonly name?: unknown; readonly path?: unknown },
): void {
  const name =
    options.name ?? (options.path === undefined ? fallback : `An endpoint of ${String(options.path)}`)
  for (const option of Object.keys(options)) {
    if (knownOptions.includes(option) || option in endpoint || warnedOptions.has(option)) continue
    const meant = nearest(option)
    if (meant === undefined || isNamedInClass(endpoint, option)) continue
    warnedOptions.add(option)
    warn(`${String(name)} has the option "${option}", which nothing reads. Did you mean "${meant}"?`)
  }
}

/** A subclass that reads an option names it. */
function isNamedInClass(endpoint: object, option: string): boolean {
  let Class = endpoint.constructor as unknown
  for (; typeof Class === 'function' && Class.prototype !== undefined; Class = Object.getPrototypeOf(Class)) {
    if (wordsOf(Class).has(option)) return true
  }
  return false
}

/** The words in the source of a class: the start of a longer name is none. */
function wordsOf(Class: object): ReadonlySet<string> {
  return new Set(String(Class as () => unknown).split(/[^\w$]+/))
}

function nearest(option: string): string | undefined {
  const tolerance = option.length > 6 ? 2 : 1
  return knownOptions.find(
    (name) => name !== option && distanceOf(name.toLowerCase(), option.toLowerCase()) <= tolerance,
  )
}

/** The count of letters to change, add, remove or swap with the next (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before?.[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[before, last] = [last, next]
  }
  return last?.[b.length] ?? 0
}
