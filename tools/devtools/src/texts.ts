import type { Action } from '@selfsame/core'
import type { RequestReason } from '@selfsame/core/inspect'

/**
 * The text of a JSON value, cut after so many characters. Cycles, functions and the like are named. Of a long list, only the first
 * members are read, so that a text that is cut costs little.
 */
export function toText(value: unknown, most = 10_000): string {
  const seen = new Set<unknown>()
  const mostMembers = Math.ceil(most / 50)
  let text: string | undefined
  try {
    text = JSON.stringify(
      value,
      (_, part: unknown) => {
        if (typeof part === 'bigint' || typeof part === 'symbol') return String(part)
        if (typeof part === 'function') return `[function ${part.name}]`
        if (part instanceof Error) return { name: part.name, message: part.message }
        if (typeof part !== 'object' || part === null) return part
        if (seen.size > 20_000) return '…'
        if (seen.has(part)) return '[again]'
        seen.add(part)
        if (part instanceof Map || part instanceof Set) return [...part]
        if (Array.isArray(part) && part.length > mostMembers)
          return [...(part as unknown[]).slice(0, mostMembers), `… ${part.length - mostMembers} more`]
        return part
      },
      2,
    )
  } catch {
    text = String(value)
  }
  text ??= String(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The arguments of a call in one line: `5`, `{"page":2}`. */
export function argsText(args: readonly unknown[]): string {
  const [first] = args
  const isId = typeof first === 'object' && first !== null && Object.keys(first).length === 1 && 'id' in first
  const isEmpty = typeof first === 'object' && first !== null && lineOf(first) === '{}'
  const shown = isId ? [first.id, ...args.slice(1)] : isEmpty ? args.slice(1) : args
  return shown
    .map((arg) => {
      const text = typeof arg === 'string' ? arg : lineOf(arg)
      return text.length > 60 ? `${text.slice(0, 60)}…` : text
    })
    .join(', ')
}

function lineOf(value: unknown): string {
  try {
    const text = JSON.stringify(value) as string | undefined
    if (text !== undefined && text !== '{}') return text
  } catch {
    // A cycle, or a number that JSON has not.
  }
  return toText(value).replace(/\s+/g, ' ')
}

/** A span of time in words: `12 s`, `3 min`. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 100_000) return `${Math.round(ms / 1000)} s`
  if (ms < 6_000_000) return `${Math.round(ms / 60_000)} min`
  return `${Math.round(ms / 3_600_000)} h`
}

/** What an action does, in one line. */
export function titleOf(action: Action): string {
  switch (action.type) {
    case 'fetch':
    case 'response':
    case 'error':
      return `${action.type} ${action.endpoint.name} ${argsText(action.args)}`.trim()
    case 'set':
      return `set ${nameOfSchema(action.schema)} ${argsText(action.args)}`.trim()
    case 'invalidateAll':
    case 'expireAll':
      return `${action.type} ${nameOf(action.endpoint)}`
    case 'hydrate':
    case 'resetAll':
    case 'dispose':
      return action.type
    default:
      return `${action.type} ${nameOf(action.endpoint)} ${argsText(action.args)}`.trim()
  }
}

function nameOf(endpoint: unknown): string {
  const name = (endpoint as { readonly name?: unknown }).name
  return typeof name === 'string' ? name : ''
}

function nameOfSchema(schema: unknown): string {
  const { key, constructor } = schema as { readonly key?: unknown; readonly constructor: { name: string } }
  return typeof key === 'string' ? key : constructor.name
}

/**
 * Why a request was sent: `ArticleDetail mounted, Stale by 12 s`.
 *
 * @param by - the title of the action that made the data Stale or Invalid: `expireAll Article.get`. @default unknown
 */
export function whyText(
  { occasion, status, missing, expiredForMs, reader }: RequestReason,
  by: string | undefined,
): string {
  const who = reader ?? 'a reader'
  const through = by === undefined ? '' : ` by ${by}`
  const what = {
    mounted: `${who} mounted`,
    arguments: `${who} got new arguments`,
    shown: `${who} became visible again`,
    focus: 'the window regained focus',
    reconnect: 'the network came back',
    interval: 'its refetch interval elapsed',
    refetchStale: 'controller.refetchStale was called',
    expired: `the data on screen was made Stale${through}`,
    invalidated: `the call became Invalid${by === undefined ? '' : ` through ${by}`} while ${who} showed it`,
    retried: `${who} retried after an error`,
    poll: 'its endpoint polls',
    prefetch: 'it was prefetched',
  }[occasion]
  if (occasion === 'poll' || occasion === 'expired' || occasion === 'invalidated') return what
  if (missing === 'invalidated') return `${what}; the call was invalidated`
  if (missing === 'stale')
    return `${what}; the data ${expiredForMs === undefined ? 'was made Stale' : `expired ${span(expiredForMs)} ago`}`
  if (status === 'Invalid') return `${what}; nothing was cached`
  if (status === 'Valid') return what
  return expiredForMs === undefined
    ? `${what}, and the data is Stale`
    : `${what}, Stale by ${span(expiredForMs)}`
}

/** `14:03:05.120`, in the time of the machine. */
export function timeOf(at: number): string {
  const time = new Date(at)
  return `${time.toTimeString().slice(0, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`
}
