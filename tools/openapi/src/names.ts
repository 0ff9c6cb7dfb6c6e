import pluralize from 'pluralize'
import type { Report } from './report.js'

/** What no declaration may be called: words of the language, and names that the written files use themselves. */
const reserved = new Set(
  `abstract any arguments as asserts async await boolean break case catch class const constructor continue debugger declare
default delete do else enum eval export extends false finally for from function get if implements import in infer instanceof
interface is keyof let module namespace never new null number object of package private protected public readonly require return
satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with
yield
Array ArrayBuffer BigInt Blob Boolean Date Error Exclude Extract File FormData Function Headers Infinity JSON Map Math NaN Number
Object Omit Partial Pick Promise Proxy Readonly Record Reflect RegExp Request RequestInit Response Set String Symbol URL
URLSearchParams WeakMap WeakSet globalThis window document
ApiEndpoint Entity GQLEndpoint GQLEntity NetworkError RestEndpoint RestOptions Schema SchemaContract DefaultError ErrorBodies FormPart asForm asJson asParts asStyledForm asUrlEncoded createResource
credentials dayOf formOf isError joinedPath listOf ofType paramText partOf relate styled textOf withDays schema typed urlPrefix gql`.split(
    /\s+/,
  ),
)

/** The words of a name, in any of the usual forms. */
function wordsOf(name: string): string[] {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/['’]/g, '')
      // `IPs` is one word.
      .replace(/\b([A-Z])([A-Z]+)s\b/g, (_, first: string, rest: string) => `${first}${rest.toLowerCase()}s`)
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .split(/[^A-Za-z\d]+/)
      .filter((word) => word !== '')
  )
}

const upperFirst = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
const lowerFirst = (word: string) => word.slice(0, 1).toLowerCase() + word.slice(1)
/** An identifier does not begin with a digit. */
const asIdentifier = (name: string, before: string) =>
  name === '' ? before : /^\d/.test(name) ? `${before}${name}` : name

/** `simple-user` → `SimpleUser`. Capitals inside of words stay: `OAuthToken`. */
export function toPascal(name: string): string {
  const pieces = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '')
    .split(/[^A-Za-z\d]+/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.length > 4 && piece === piece.toUpperCase() ? piece.toLowerCase() : piece))
  return asIdentifier(pieces.map(upperFirst).join(''), 'Type')
}

/** `list-for-user` → `listForUser`, `FindAll` → `findAll`, `APIKeyList` → `apiKeyList`. */
export function toCamel(name: string): string {
  const words = wordsOf(name).map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  return asIdentifier(
    words.map((word, at) => (at === 0 ? lowerFirst(word) : upperFirst(word))).join(''),
    'call',
  )
}

/** `Pull Requests` → `pull-requests`: the name of a file. */
export function toKebab(name: string): string {
  return wordsOf(name).join('-').toLowerCase() || 'api'
}

/**
 * An identifier for an operation: its id as a person would write it, else method and path.
 *
 * @param id - `operationId`
 */
export function operationName(id: string | undefined, method: string, path: string): string {
  const words = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? `by ${part}` : part))
  if (id === undefined || id === '') return toCamel([method, ...words].join(' '))
  // FastAPI adds path and method: read_item_items__item_id__get.
  const added = `_${path.replaceAll(/[^\w]/g, '_').replace(/^_/, '')}_${method}`
  const own = id.endsWith(added) ? id.slice(0, -added.length) : id
  // NestJS begins with the class: UsersController_findAll.
  return toCamel(own.replace(/^(\w+?)Controller[_.]/, (_, name: string) => `${name} `))
}

/** Two names that differ in their form only are equal: `user_id` and `userId`. */
export const plainName = (name: string): string => wordsOf(name).join('').toLowerCase()

export const singular = (word: string): string => pluralize.singular(word)

/** A member of an object or class: quoted if it is no identifier. */
export function toMember(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** Reads a member: `.name` or `["odd name"]`. */
export const memberOf = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`

/** Gives out names, each once. */
export class Names {
  readonly #taken = new Set<string>()
  /** The number behind a name that comes next. */
  readonly #counts = new Map<string, number>()
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  /**
   * Takes a name, or one like it if it is taken or reserved.
   *
   * @param wanted - an identifier
   * @param place - what it is the name of, for the report
   * @param suffix - goes behind a reserved name
   */
  take(wanted: string, place: string, suffix: string): string {
    let name = wanted
    if (reserved.has(wanted)) {
      name = `${wanted}${suffix}`
      this.#report.add('name', place, `is called ${name}, because "${wanted}" is reserved.`)
    }
    const base = name
    for (let count = this.#counts.get(base) ?? 2; this.#taken.has(name); count++) {
      name = `${base}${count}`
      this.#counts.set(base, count + 1)
    }
    if (name !== base)
      this.#report.add(
        'name',
        place,
        `is called ${name}, because "${base}" is taken: name it in the options.`,
      )
    this.#taken.add(name)
    return name
  }

  isFree(name: string): boolean {
    return !reserved.has(name) && !this.#taken.has(name)
  }
}
