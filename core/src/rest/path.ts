import { development } from '#development'
import * as errors from '../errors.js'
import { kindOf } from '../errors.js'
import { isWellFormed } from '../util/well-formed.js'

/** A part of a path pattern: text, a parameter, or an optional group of parts. */
type Part = string | Param | readonly Part[]

interface Param {
  readonly name: string
  readonly isWild: boolean
}

/** A path pattern, parsed. */
export interface PathPattern {
  readonly path: string
  readonly parts: readonly Part[]
  /** The names that every call has to give. */
  readonly required: readonly string[]
  /** All names, those of optional parts included. */
  readonly names: ReadonlySet<string>
}

/** What `encodeURIComponent` gives, as a regular expression. */
const encodedValue = "[\\w.!~*'()%-]+"
/**
 * What a path is read by: a character after a backslash, a brace, a parameter and whether it is optional, or text. A
 * colon or an asterisk that no name follows is text.
 */
const token = /\\(.?)|([{}])|([:*])([A-Za-z_$][\w$]*)(\?)?|[^\\{}:*]+|[:*]/gs

/**
 * Parses a path pattern: `:name` is a parameter, `*name` one that may have several segments, `{…}` an optional part,
 * `:name?` an optional parameter together with the slash before it, and a backslash takes the next character as it is. A
 * colon that no name follows, as in a port, is only a colon.
 *
 * @throws {SelfsameError} `path-invalid` for a group that is not closed, for a name that stands twice, and for what other
 *   libraries put behind a parameter or a group: `:id(\\d+)`, `:name*`, `{…}?`
 */
export function parsePath(path: string): PathPattern {
  const parts = parseParts(path)
  const required = namesOf(parts, false)
  const all = namesOf(parts, true)
  const twice = all.find((name, index) => all.indexOf(name) !== index)
  if (twice !== undefined)
    throw errors.pathInvalid(path, development ? `":${twice}" stands in it twice` : twice)
  return { path, parts, required, names: new Set(all) }
}

/**
 * Puts values into a path. Every value is percent-encoded inside its segment (RFC 3986), so that it cannot leave it.
 *
 * @throws {SelfsameError} `path-param-missing` or `path-param-unusable`, before any request is made
 * @see specification 4, E4
 */
export function fillPath(
  pattern: PathPattern,
  name: string,
  args: readonly unknown[],
  params: Readonly<Record<string, unknown>>,
): string {
  return fillParts(
    pattern.parts,
    ({ name: param, isWild }) => {
      const value = ownValue(params, param)
      if (isMissing(value)) throw errors.pathParamMissing(name, pattern.path, param, args)
      const refuse = (why: string) => {
        throw errors.pathParamUnusable(name, pattern.path, param, why)
      }
      if (!isWild) return encodeSegment(value, refuse)
      const given: unknown = typeof value === 'string' ? value.split('/') : value
      const segments: readonly unknown[] = Array.isArray(given) ? given : [given]
      return segments.map((segment) => encodeSegment(segment, refuse)).join('/')
    },
    params,
  )
}

function encodeSegment(value: unknown, refuse: (why: string) => void): string {
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') {
    refuse(development ? `it is ${kindOf(value)}` : '')
  }
  const text = String(value)
  if (Number.isNaN(value)) refuse(development ? 'it is NaN' : '')
  if (text === '') refuse(development ? 'one of its segments is empty' : '')
  if (/^\.+$/.test(text)) refuse(development ? 'a segment of only dots means another path' : '')
  if (!isWellFormed(text)) refuse(development ? 'it holds half of a character (a lone surrogate)' : '')
  return encodeURIComponent(text)
}

/**
 * The path of a list, from the path of one record: what stands from the last parameter on is dropped. A group
 * that began before it ends there, or goes where no parameter is left in it.
 *
 * @see specification 4.1, E1
 */
export function toListPath(path: string): string {
  const tokens = [...path.matchAll(token)]
  const params = tokens.filter(([, , , , name]) => name !== undefined).map(({ index }) => index)
  const last = params.at(-1)
  if (last === undefined) return path
  const open: number[] = []
  for (const { 2: brace, index } of tokens) {
    if (index > last) break
    if (brace === '{') open.push(index)
    else if (brace === '}') open.pop()
  }
  let head = path.slice(0, last)
  for (const begin of open.reverse()) {
    const hasParam = params.some((index) => index > begin && index < last)
    head = hasParam ? `${trimSlashes(head)}}` : head.slice(0, begin)
  }
  head = trimSlashes(head)
  return head === '' ? '/' : head
}

/** Joins prefix and path with exactly one slash where both or neither bring one. An empty side adds nothing. */
export function joinUrl(prefix: string, path: string): string {
  if (prefix === '' || path === '') return prefix + path
  if (prefix.endsWith('/') && path.startsWith('/')) return prefix + path.slice(1)
  return prefix.endsWith('/') || path.startsWith('/') ? prefix + path : `${prefix}/${path}`
}

/**
 * Whether an address can be made by filling a path: with any values, after a prefix, and with any search params.
 *
 * @param prefix - as `joinUrl` takes it
 */
export function isFilled(pattern: PathPattern, prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false
  const rest = url.slice(prefix.length)
  const hasSearch = prefix.includes('?') || pattern.path.includes('?')
  const filled = new RegExp(`^${toSource(pattern.parts)}(${hasSearch ? '&|\\?' : '\\?'}|$)`)
  return [rest, `/${rest}`, rest.slice(1)].some((path) => {
    const [match, end] = filled.exec(path) ?? []
    if (match === undefined) return false
    const pathAlone = match.slice(0, match.length - (end ?? '').length)
    return joinUrl(prefix, pathAlone) + path.slice(pathAlone.length) === url
  })
}

function toSource(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      if (isGroup(part)) return `(?:${toSource(part)})?`
      return part.isWild ? `${encodedValue}(?:/${encodedValue})*` : encodedValue
    })
    .join('')
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}

function parseParts(path: string): readonly Part[] {
  /** The groups around what is read: where each begins, and what stands before it. */
  const outer: { parts: Part[]; begin: number }[] = []
  let parts: Part[] = []
  for (const { 0: text, 1: escaped, 2: brace, 3: sigil, 4: name, 5: mark, index } of path.matchAll(token)) {
    const next = path.charAt(index + text.length)
    const hasModifier = brace === '}' ? /[?*+]/.test(next) : name !== undefined && /[(*+]/.test(next)
    if (hasModifier)
      throw errors.pathInvalid(
        path,
        development ? `"${next}" behind "${text}" has no meaning here` : text + next,
      )
    if (name !== undefined) {
      const param: Param = { name, isWild: sigil === '*' }
      parts.push(mark === undefined ? param : [...takeSlash(parts), param])
    } else if (brace === '{') {
      outer.push({ parts, begin: index })
      parts = []
    } else if (brace === '}') {
      const group = outer.pop()
      if (group === undefined)
        throw errors.pathInvalid(path, development ? `"}" at ${index} closes nothing` : '}')
      group.parts.push(parts)
      parts = group.parts
    } else parts.push(escaped ?? text)
  }
  const unclosed = outer.pop()
  if (unclosed !== undefined)
    throw errors.pathInvalid(path, development ? `"{" at ${unclosed.begin} is never closed` : '{')
  return parts
}

/** Takes the slash at the end of what was read. */
function takeSlash(parts: Part[]): Part[] {
  const last = parts.at(-1)
  if (typeof last !== 'string' || !last.endsWith('/')) return []
  parts[parts.length - 1] = last.slice(0, -1)
  return ['/']
}

function isGroup(part: Exclude<Part, string>): part is readonly Part[] {
  return Array.isArray(part)
}

function namesOf(parts: readonly Part[], withOptional: boolean): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return []
    return !isGroup(part) ? part.name : withOptional ? namesOf(part, true) : []
  })
}

function fillParts(
  parts: readonly Part[],
  valueOf: (param: Param) => string,
  params: Readonly<Record<string, unknown>>,
): string {
  let filled = ''
  for (const part of parts) {
    if (typeof part === 'string') filled += part
    else if (!isGroup(part)) filled += valueOf(part)
    else if (namesOf(part, false).every((name) => !isMissing(ownValue(params, name)))) {
      filled += fillParts(part, valueOf, params)
    }
  }
  return filled
}

/** `constructor` and its kin are names like any other. */
function ownValue(params: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
