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
  /** Names of endpoints and resources, by `METHOD /path` or by the path of a record. */
  readonly names?: Readonly<Record<string, string>>
  /** Only operations with one of these tags. @default all */
  readonly tags?: readonly string[]
  /** Only paths that begin with one of these. @default all */
  readonly paths?: readonly string[]
  /** The beginning of all addresses. @default the first server of the description */
  readonly urlPrefix?: string
}

const members = ['entities', 'relations', 'dates', 'names', 'tags', 'paths', 'urlPrefix']

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
  return value as Corrections
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
