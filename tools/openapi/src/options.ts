/** What the option file corrects. All members are optional. */
export interface Corrections {
  /**
   * By the name of a schema in the description: `false` makes it a plain object; `pk` names the field that identifies it; `key` its
   * table, which schemas of the same record share; `name` its class.
   */
  readonly entities?: Readonly<
    Record<string, false | { readonly pk?: string; readonly key?: string; readonly name?: string }>
  >
  /** Fields that hold the primary keys of other records: `{ "Article.authorId": "User" }` adds `author`. */
  readonly relations?: Readonly<Record<string, string>>
  /** Formats of text that become a `Date`. @default ['date-time'] */
  readonly dates?: readonly string[]
  /** Scalars of GraphQL, with what JSON has for them: `{ "Money": "number" }`. @default text for the usual ones, others are unknown */
  readonly scalars?: Readonly<Record<string, 'string' | 'number' | 'boolean'>>
  /** Names of endpoints and resources, by `METHOD /path` or by the path of a record. */
  readonly names?: Readonly<Record<string, string>>
  /** Only operations with one of these tags. @default all */
  readonly tags?: readonly string[]
  /** Only paths that begin with one of these. @default all */
  readonly paths?: readonly string[]
  /** The beginning of all addresses. @default the first server of the description */
  readonly urlPrefix?: string
  /** Resources whose mutations show before they are answered: `true` for all, or the paths of their records. @default none */
  readonly optimistic?: boolean | readonly string[]
  /** By the path of the record of a resource: which records belong to its lists, and in which order. */
  readonly rules?: Readonly<Record<string, ListRules>>
  /** How long data stays Valid, in milliseconds: by the name of a schema, or by `METHOD /path`. @default that of the Controller */
  readonly expiry?: Readonly<Record<string, number>>
  /** The param that names a page, by `METHOD /path`; `false` if there are no pages. @default what the names of the params suggest */
  readonly pagination?: Readonly<Record<string, string | false>>
}

/** The rules of the lists of a resource. */
export interface ListRules {
  /** A field: `createdAt`, or `createdAt descending`. */
  readonly orderBy?: string
  /** Fields, by the param of the list that has to be equal: `{ "state": "status" }`. */
  readonly filter?: Readonly<Record<string, string>>
}

const members = [
  'entities',
  'relations',
  'dates',
  'scalars',
  'names',
  'tags',
  'paths',
  'urlPrefix',
  'optimistic',
  'rules',
  'expiry',
  'pagination',
]

/**
 * Reads the option file.
 *
 * @throws {Error} for text that is no JSON object, and for a member that is not known
 */
export function parseCorrections(text: string, file: string): Corrections {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is no JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${file} holds no object.`)
  const unknown = Object.keys(value).find((name) => name !== '$schema' && !members.includes(name))
  if (unknown !== undefined)
    throw new Error(`${file} has a member "${unknown}", which is not known. There are ${members.join(', ')}.`)
  checkKinds(value, file)
  return value as Corrections
}

/** @throws {Error} for a member of the wrong kind */
function checkKinds(value: object, file: string): void {
  const isRecord = (given: unknown, test: (inner: unknown) => boolean) =>
    typeof given === 'object' && given !== null && !Array.isArray(given) && Object.values(given).every(test)
  const isText = (given: unknown) => typeof given === 'string'
  const isTexts = (given: unknown) => Array.isArray(given) && given.every(isText)
  const kinds: Readonly<Record<string, readonly [test: (given: unknown) => boolean, wanted: string]>> = {
    optimistic: [(given) => typeof given === 'boolean' || isTexts(given), 'true, or a list of paths'],
    expiry: [
      (given) => isRecord(given, (inner) => typeof inner === 'number' && inner >= 0),
      'an object of milliseconds',
    ],
    pagination: [
      (given) => isRecord(given, (inner) => inner === false || isText(inner)),
      'an object of params, or false',
    ],
    rules: [(given) => isRecord(given, (inner) => isRecord(inner, () => true)), 'an object of rules'],
    dates: [isTexts, 'a list of formats'],
    scalars: [
      (given) => isRecord(given, (inner) => ['string', 'number', 'boolean'].includes(inner as string)),
      'an object of "string", "number" or "boolean"',
    ],
    tags: [isTexts, 'a list of tags'],
    paths: [isTexts, 'a list of paths'],
    names: [(given) => isRecord(given, isText), 'an object of names'],
    relations: [(given) => isRecord(given, isText), 'an object of schemas'],
  }
  for (const [name, given] of Object.entries(value)) {
    const [test, wanted] = kinds[name] ?? []
    if (test?.(given) === false) throw new Error(`${file} has a member "${name}" that is not ${wanted}.`)
  }
}

/** What the command was asked for. */
export interface GenerateOptions extends Corrections {
  /** The name of the description, for the first line of each file. */
  readonly source: string
  /** One file for everything. @default one for each tag */
  readonly singleFile?: boolean
  /** The ending of imports. @default '.js' */
  readonly extension?: string
}

/** A file to write. */
export interface WrittenFile {
  readonly path: string
  readonly text: string
}
