import { development } from '#development'
import * as errors from '../errors.js'
import { withoutCredentials } from '../errors.js'
import { addressText } from './address-text.js'

/** A part of a path pattern: text, a param, or an optional group of parts. */
type PathPart = string | Param | readonly PathPart[]

interface Param {
  readonly name: string
  readonly isWild: boolean
}

/** A parsed path pattern. */
export interface PathPattern {
  readonly path: string
  readonly parts: readonly PathPart[]
  /** The names of required params, without those of optional groups. */
  readonly required: readonly string[]
  /** All names, those of optional groups included. */
  readonly names: ReadonlySet<string>
}

/** A character of the result of `encodeURIComponent`. */
const valueCharacter = /[\w.!~*'()%-]/
/**
 * The tokens of a path: a character after a backslash; a brace; a param with an optional `?`; or text. Braces and params may be
 * followed by a modifier that is not supported. A colon or an asterisk without a name is text.
 */
const token = /\\(.?)|(\{|\}([?*+])?)|([:*])([A-Za-z_$][\w$]*)(\?)?([(*+])?|[^\\{}:*]+|[:*]/gs

/**
 * Parses a path pattern: `:name` is a param, `*name` a param of one or more segments, `{…}` an optional group, `:name?` an
 * optional param with the slash before it. A backslash makes the next character text. The colon of `https://` or a port is text.
 *
 * @throws {SelfsameError} in development `path-invalid` for a group that is not closed, for a name that occurs twice, for `*` and
 *   `:` without a name, and for what other libraries have: `:id(\\d+)`, `:name*`, `{…}?`, `(a|b)`
 */
export function parsePath(path: string): PathPattern {
  const names = new Set<string>()
  const root: PathPart[] = []
  /** The groups around the current part, from the root. */
  const groups = [root]
  /** In development, where they begin. */
  const begins: number[] = []
  for (const {
    0: text,
    1: escaped,
    2: brace,
    3: after,
    4: sigil,
    5: name,
    6: mark,
    7: modifier,
    index,
  } of path.matchAll(token)) {
    const parts = groups.at(-1) ?? root
    const unsupported = after ?? modifier
    if (development && unsupported !== undefined)
      throw errors.pathInvalid(path, `"${unsupported}" after "${text.slice(0, -1)}" is not supported`)
    if (name !== undefined) {
      if (development && names.has(name)) throw errors.pathInvalid(path, `":${name}" occurs twice`)
      names.add(name)
      const param: Param = { name, isWild: sigil === '*' }
      parts.push(mark === undefined ? param : [...takeSlash(parts), param])
    } else if (brace === '{') {
      const group: PathPart[] = []
      parts.push(group)
      groups.push(group)
      if (development) begins.push(index)
    } else if (brace === '}') {
      groups.pop()
      if (development && begins.pop() === undefined)
        throw errors.pathInvalid(path, `"}" at ${index} closes no "{"`)
    } else {
      if (development && escaped === undefined) checkText(path, text, index)
      parts.push(escaped ?? text)
    }
  }
  if (development && begins[0] !== undefined)
    throw errors.pathInvalid(path, `"{" at ${begins[0]} is never closed`)
  return { path, parts: root, required: namesIn(root), names }
}

/** @throws {SelfsameError} `path-invalid` for what means a param or a choice in other libraries */
function checkText(path: string, text: string, index: number): void {
  const [choice] = /\([^()]*\|[^()]*\)/.exec(text) ?? []
  if (choice !== undefined) throw errors.pathInvalid(path, `"${choice}" is not supported`)
  // The colon of `https://` and of a port is text.
  const isPart = /^:(?:\/\/|\d)/.test(path.slice(index))
  if (text === '*' || (text === ':' && !isPart))
    throw errors.pathInvalid(path, `"${text}" at ${index} has no name`)
}

function namesIn(parts: readonly PathPart[]): string[] {
  return parts.flatMap((part) => (isParam(part) ? part.name : []))
}

function isParam(part: PathPart): part is Param {
  return typeof part === 'object' && 'name' in part
}

/** Takes a slash from the end of the parts before an optional param. */
function takeSlash(parts: PathPart[]): readonly string[] {
  const last = parts.at(-1)
  if (typeof last !== 'string' || !last.endsWith('/')) return []
  parts[parts.length - 1] = last.slice(0, -1)
  return ['/']
}

/**
 * Puts values into a path. Each value is percent-encoded, so that it stays inside its segment (RFC 3986).
 *
 * @throws {SelfsameError} `path-param-missing` or `path-param-unusable`, before any request is sent
 * @see specification 4, E4
 */
export function fillPath(
  pattern: PathPattern,
  endpoint: string,
  args: readonly unknown[],
  params: Readonly<Record<string, unknown>>,
): string {
  const isGiven = (name: string) => Object.hasOwn(params, name) && !isMissing(params[name])
  const valueOf = ({ name, isWild }: Param): string => {
    if (!isGiven(name)) throw errors.pathParamMissing(endpoint, pattern.path, name, args)
    const refuse = (why: string) => {
      throw errors.pathParamUnusable(endpoint, pattern.path, name, why)
    }
    const encode = (segment: unknown) => {
      const text = addressText(segment, refuse)
      if (text === '') refuse(development ? 'one of its segments is empty' : '')
      if (/^\.+$/.test(text)) refuse(development ? 'a segment of only dots would change the path' : '')
      return encodeURIComponent(text)
    }
    const value = params[name]
    if (!isWild) return encode(value)
    return (typeof value === 'string' ? value.split('/') : [value].flat()).map(encode).join('/')
  }
  const fill = (parts: readonly PathPart[]): string => {
    let filled = ''
    for (const part of parts) {
      if (typeof part === 'string') filled += part
      else if (isParam(part)) filled += valueOf(part)
      else if (namesIn(part).every(isGiven)) filled += fill(part)
    }
    return filled
  }
  return fill(pattern.parts)
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/**
 * The path of a list, from the path of one record: the path before its last param. A group that begins before this param is
 * closed there, or dropped if it has no other param.
 *
 * @see specification 4.1, E1
 */
export function toListPath(path: string): string {
  const tokens = [...path.matchAll(token)]
  const [last, other = -1] = tokens
    .flatMap(({ 5: name, index }) => (name === undefined ? [] : index))
    .reverse()
  if (last === undefined) return path
  const open: number[] = []
  for (const { 2: brace, index } of tokens) {
    if (index > last) break
    if (brace === '{') open.push(index)
    else if (brace === '}') open.pop()
  }
  let head = path.slice(0, last)
  for (const begin of open.reverse()) head = other > begin ? `${trimSlashes(head)}}` : head.slice(0, begin)
  return trimSlashes(head) || '/'
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}

/** Joins prefix and path with exactly one slash if both or neither have one. An empty side adds nothing. */
export function joinUrl(prefix: string, path: string): string {
  if (prefix === '' || path === '') return prefix + path
  return `${prefix.replace(/\/$/, '')}/${path.replace(/^\//, '')}`
}

/**
 * Returns `true` if an address is a filled path: with any values, after a prefix, and with any search params or body.
 * The time is linear in the length of the address.
 *
 * @param prefix - as `joinUrl` takes it
 */
export function isFilled({ path, parts }: PathPattern, prefix: string, url: string): boolean {
  const more = `${prefix}${path}`.includes('?') ? '&? ' : '? '
  const start = withoutCredentials(prefix.replace(/\/$/, ''))
  const { length } = start
  const isAfterPrefix = prefix === '' || length === url.length || `/${more}`.includes(url[length] ?? '')
  if (!url.startsWith(start) || !isAfterPrefix) return false
  const begins = new Uint8Array(url.length + 1)
  begins[length] = 1
  // `joinUrl` puts one slash between them.
  if (prefix !== '' && url[length] === '/') begins[length + 1] = 1
  return endsOf(parts, url, begins).some(
    (isEnd, end) => isEnd && (end === url.length || more.includes(url[end] ?? '')),
  )
}

/** Matches parts at all begins at once, so that each part reads the address once. @returns 1 at the ends of all matches */
function endsOf(parts: readonly PathPart[], url: string, begins: Uint8Array): Uint8Array {
  for (const part of parts) {
    const ends = new Uint8Array(begins.length)
    if (typeof part === 'string') {
      const text = withoutCredentials(part)
      begins.forEach((isBegin, at) => {
        if (isBegin && url.startsWith(text, at)) ends[at + text.length] = 1
      })
    } else if (isParam(part)) {
      /** 1 in a value; 2 after a slash between two segments. */
      let state = 0
      for (let at = 0; at < url.length; at++) {
        const character = url[at] ?? ''
        if (valueCharacter.test(character)) state = state || begins[at] ? 1 : 0
        else state = part.isWild && state === 1 && character === '/' ? 2 : 0
        if (state === 1) ends[at + 1] = 1
      }
    } else endsOf(part, url, begins).forEach((isEnd, at) => (ends[at] = isEnd || begins[at] || 0))
    begins = ends
  }
  return begins
}
