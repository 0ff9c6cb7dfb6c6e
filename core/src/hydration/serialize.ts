import * as errors from '../errors.js'
import { warn } from '../errors.js'
import { toPlainError } from '../store/hydration/dehydrate.js'
import type { DehydratedResult, DehydratedState, PlainError } from '../store/hydration/dehydrated-state.js'
import { isPlainObject, setOwn } from '../util/plain.js'
import { fromPlainError } from './plain-error.js'

/**
 * Serializes a state to text that is safe inside HTML: it has no `<`, `>`, `&` and no line separators. Besides JSON
 * it supports `Date`, `BigInt`, `Map`, `Set`, `URL`, `RegExp`, `undefined`, `NaN`, `Infinity`, `-0` and errors.
 *
 * A result with any other value, such as a `Blob` or an instance of a class, is omitted, with a warning in
 * development; the page fetches that call.
 *
 * @throws {SelfsameError} `value-unusable` for such a value in a record or a list
 * @see specification 4.5, B8
 * @example const text = serialize(dehydrate(controller))
 */
export function serialize(state: DehydratedState): string {
  const results = state.results.flatMap(writeResult)
  const { results: _, ...others } = state
  const text = JSON.stringify({ ...(encode(others) as object), results })
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Characters that start or end an element, are decoded in HTML, or end a line in a script. */
const unsafe = /[<>&\u2028\u2029]/g

function writeResult(result: DehydratedResult): unknown[] {
  try {
    return [encode(result)]
  } catch (error) {
    warn(errors.answerNotCarried(result.key, error))
    return []
  }
}

/**
 * Parses the text of `serialize`.
 *
 * @throws {SelfsameError} `argument-invalid` for a damaged or other text
 * @see specification 4.5
 * @example hydrate(controller, deserialize(text))
 */
export function deserialize(text: string): DehydratedState {
  try {
    return decode(JSON.parse(text)) as DehydratedState
  } catch (cause) {
    throw errors.stateUnreadable(cause, text)
  }
}

/** @returns plain JSON; the same object if it needs no change */
function encode(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'undefined':
      return { '@undefined': 0 }
    case 'number':
      if (Object.is(value, -0)) return { '@number': '-0' }
      return Number.isFinite(value) ? value : { '@number': String(value) }
    case 'bigint':
      return { '@bigint': String(value) }
    case 'object':
      return value === null ? null : encodeObject(value)
    default:
      throw errors.valueNotCarried(typeof value)
  }
}

function encodeObject(value: object): unknown {
  if (Array.isArray(value)) {
    let encoded: unknown[] | undefined
    for (let index = 0; index < value.length; index++) {
      const item = encode(value[index])
      if (encoded === undefined && item !== value[index]) encoded = value.slice(0, index)
      encoded?.push(item)
    }
    return encoded ?? value
  }
  if (isPlainObject(value)) return encodePlain(value)
  if (value instanceof Date) return { '@date': Number.isNaN(value.getTime()) ? null : value.getTime() }
  if (value instanceof Map) return { '@map': [...value].map((entry) => entry.map(encode)) }
  if (value instanceof Set) return { '@set': [...value].map(encode) }
  if (value instanceof URL) return { '@url': value.href }
  if (value instanceof RegExp) return { '@regexp': [value.source, value.flags] }
  if (value instanceof Error) return { '@error': encode(toPlainError(value)) }
  throw errors.valueNotCarried(`an instance of ${value.constructor?.name ?? 'a class'}`)
}

/** Wraps an object whose only field starts with `@`, which `decode` would mistake for one of the kinds. */
function encodePlain(value: Record<string, unknown>): unknown {
  const names = Object.keys(value)
  let encoded: Record<string, unknown> | undefined
  for (const name of names) {
    const part = encode(value[name])
    if (part === value[name]) continue
    encoded ??= { ...value }
    setOwn(encoded, name, part)
  }
  return names.length === 1 && names[0]?.startsWith('@') === true
    ? { '@': encoded ?? value }
    : (encoded ?? value)
}

/** Decodes parsed JSON in place. */
function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = decode(value[index])
    return value
  }
  const parts = value as Record<string, unknown>
  const names = Object.keys(parts)
  const [kind = ''] = names
  if (names.length === 1 && kind.startsWith('@')) return decodeKind(kind, parts[kind])
  return decodeParts(parts)
}

function decodeParts(parts: Record<string, unknown>): unknown {
  for (const name of Object.keys(parts)) setOwn(parts, name, decode(parts[name]))
  return parts
}

/** @param content - has another form only if the text is damaged: then this throws */
function decodeKind(kind: string, content: unknown): unknown {
  switch (kind) {
    case '@':
      return decodeParts(content as Record<string, unknown>)
    case '@undefined':
      return undefined
    case '@number':
      return Number(content)
    case '@bigint':
      return BigInt(content as string)
    case '@date':
      return new Date((content as number | null) ?? NaN)
    case '@map':
      return new Map(decode(content) as [unknown, unknown][])
    case '@set':
      return new Set(decode(content) as unknown[])
    case '@url':
      return new URL(content as string)
    case '@regexp': {
      const [source, flags] = content as [string, string]
      return new RegExp(source, flags)
    }
    case '@error':
      return fromPlainError(decode(content) as PlainError)
    default:
      throw new TypeError(`nothing is called ${kind}`)
  }
}
