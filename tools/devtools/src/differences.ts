/** A field that differs. */
export interface Difference {
  /** `author.name`; `''` for a value that is no object. */
  readonly path: string
  /** JSON in one line; `undefined` if it was not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What changed between two JSON texts, field by field. */
export interface Differences {
  readonly changed: readonly Difference[]
  /** The fields that stayed, each as `name: value`. */
  readonly same: readonly string[]
}

/** The most characters of a value in a line. */
const mostOfValue = 200

/** Compares two JSON texts; `undefined` if one of them was cut, so that it is no JSON. */
export function differencesOf(
  before: string | undefined,
  after: string | undefined,
): Differences | undefined {
  try {
    const changed: Difference[] = []
    const same: string[] = []
    compareValues('', valueIn(before), valueIn(after), changed, same)
    return { changed, same }
  } catch {
    return undefined
  }
}

const valueIn = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

function compareValues(
  path: string,
  before: unknown,
  after: unknown,
  changed: Difference[],
  same: string[],
): void {
  const [old, now] = [inLine(before), inLine(after)]
  if (old === now) {
    if (now !== undefined) same.push(path === '' ? now : `${path}: ${now}`)
    return
  }
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      compareValues(path === '' ? name : `${path}.${name}`, before[name], after[name], changed, same)
    return
  }
  // A record that was not there before, field by field.
  if (path === '' && (isObject(before) || isObject(after))) {
    for (const [name, value] of Object.entries((before ?? after) as object))
      changed.push(
        before === undefined ? toDifference(name, undefined, value) : toDifference(name, value, undefined),
      )
    return
  }
  changed.push(toDifference(path, before, after))
}

function toDifference(path: string, before: unknown, after: unknown): Difference {
  return { path, before: inLine(before), after: inLine(after) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value in one line: a text without quotes, if it cannot be taken for something else. */
function inLine(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '' && !/^[\d"{[-]|^(true|false|null)$|\n/.test(value))
    return value
  const text = JSON.stringify(value) as string | undefined
  return text !== undefined && text.length > mostOfValue ? `${text.slice(0, mostOfValue)}…` : text
}
