import type { RowStorage, Storable, StoredRow } from './row-storage.js'

/** A storage of texts, such as `AsyncStorage` of React Native. */
export interface Texts {
  /** All keys, in any order. */
  keys(): readonly string[] | Promise<readonly string[]>
  /** Reads texts. @returns them in the order of the keys; `null` or `undefined` for one that is not there */
  read(
    keys: readonly string[],
  ): readonly (string | null | undefined)[] | Promise<readonly (string | null | undefined)[]>
  /** Writes texts; `null` deletes. @param isStrict - resolve when they outlast a loss of power */
  write(
    rows: readonly (readonly [key: string, text: string | null])[],
    isStrict: boolean,
  ): void | Promise<void>
  close?(): void
}

/**
 * Creates a storage of rows from a storage of texts. A row that cannot be read is `null`.
 *
 * @param prefix - the beginning of its keys, where others have keys too @default 'selfsame/'
 */
export function textStorage(texts: Texts, prefix = 'selfsame/'): RowStorage {
  const read = async (keys: readonly string[]) =>
    (await texts.read(keys.map((key) => prefix + key))).map(parse)
  return {
    async list(within, after = '', limit = Infinity) {
      const all = await texts.keys()
      const keys = all
        .filter((key) => key.startsWith(prefix + within) && key > prefix + after)
        .map((key) => key.slice(prefix.length))
        .sort()
        .slice(0, limit)
      const rows = await read(keys)
      return keys.flatMap((key, index): StoredRow[] => {
        const row = rows[index]
        return row === undefined ? [] : [[key, row]]
      })
    },
    read,
    write: async (rows, isStrict = false) =>
      texts.write(
        rows.map(([key, row]) => [prefix + key, row === undefined ? null : toText(row)]),
        isStrict,
      ),
    close: () => texts.close?.(),
  }
}

function parse(text: string | null | undefined): Storable | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return toRow(text)
  } catch {
    return null
  }
}

/** What a browser's `localStorage` and `sessionStorage` have of their own. */
export type WebStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

/**
 * Keeps rows in `localStorage`, or anything like it: for small data, because each write blocks the page, and browsers allow 5 MB.
 *
 * @param storage - @default `localStorage`
 */
export function webStorage(storage?: WebStorage): RowStorage {
  // Looked up when it is used: on a server there is none, and a browser may refuse it.
  const given = () => {
    const found = storage ?? (globalThis as { localStorage?: WebStorage | null }).localStorage
    if (!found) throw new DOMException('There is no localStorage.', 'SecurityError')
    return found
  }
  return textStorage({
    keys() {
      const found = given()
      return Array.from({ length: found.length }, (_, index) => found.key(index) ?? '')
    },
    read: (keys) => keys.map((key) => given().getItem(key)),
    write(rows) {
      const found = given()
      const before = rows.map(([key]) => [key, found.getItem(key)] as const)
      const set = (key: string, text: string | null) =>
        text === null ? found.removeItem(key) : found.setItem(key, text)
      try {
        for (const [key, text] of rows) set(key, text)
      } catch (error) {
        // All or none. What is removed first leaves the place for what is put back.
        for (const [key] of before) found.removeItem(key)
        for (const [key, text] of before) set(key, text)
        throw error
      }
    },
  })
}

/** Begins a row that is a text itself: JSON would escape each quote in it. */
const textMark = '='

/** Writes a row as text. Bytes become base64. */
export function toText(row: Storable): string {
  if (typeof row === 'string') return textMark + row
  return JSON.stringify(row, (_name, value: unknown) =>
    value instanceof Uint8Array
      ? { [bytesName]: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) }
      : value,
  )
}

/** @throws {SyntaxError} for any other text */
export function toRow(text: string): Storable {
  if (text.startsWith(textMark)) return text.slice(textMark.length)
  return JSON.parse(text, (_name, value: unknown) => {
    const base64 = (value as { [bytesName]?: unknown } | null)?.[bytesName]
    if (typeof base64 !== 'string') return value
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  }) as Storable
}

/** No row has a field of this name: `pack` escapes it. */
const bytesName = '$bytes'
