import { isPlainObject } from '../util/plain.js'

/** What a record or a call holds, found in one pass over it. */
export interface Contents {
  /** `true` if JSON gives it back as it is: it has no dates, no `undefined`, no bytes. */
  isJson: boolean
  /** `true` if it names lists. */
  hasLists: boolean
  /** The records that it names. */
  readonly records: (readonly [key: string, pk: string])[]
}

/** Looks through parts of a state, in which an object whose only field is `$record` or `$list` names one. */
export function contentsOf(...parts: readonly unknown[]): Contents {
  const contents: Contents = { isJson: true, hasLists: false, records: [] }
  for (const part of parts) visit(part, contents)
  return contents
}

function visit(value: unknown, contents: Contents): void {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) contents.isJson = false
  } else if (Array.isArray(value)) {
    // By index: a hole is `undefined`.
    for (let index = 0; index < value.length; index++) visit(value[index], contents)
  } else if (isPlainObject(value)) visitFields(value, contents)
  else contents.isJson = false
}

function visitFields(fields: Readonly<Record<string, unknown>>, contents: Contents): void {
  const names = Object.keys(fields)
  const [first = ''] = names
  if (names.length === 1 && first.startsWith('$')) visitReference(first, fields[first], contents)
  else for (const name of names) visit(fields[name], contents)
}

/** An object of the user that has the form of a reference is in one whose only field is `$`. */
function visitReference(name: string, part: unknown, contents: Contents): void {
  if (name === '$' && isPlainObject(part)) for (const value of Object.values(part)) visit(value, contents)
  else if (name === '$list' && typeof part === 'number') contents.hasLists = true
  else if (name === '$record' && Array.isArray(part)) contents.records.push(part as [string, string])
  else visit(part, contents)
}
