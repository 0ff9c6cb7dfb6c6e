import { anySignal } from '../util/any-signal.js'

/** The request init that a hook returns. `method` and `body` stay those of the endpoint. */
export type HookRequestInit = Omit<RequestInit, 'method' | 'body'>

type Maybe<Value> = Value | null | undefined

/**
 * A request init, or its source, which is read for each request: a getter, a ref (Vue) or a store (Svelte). `undefined`
 * and `null` add nothing.
 */
export type InitSource =
  | Maybe<HookRequestInit>
  | (() => Maybe<HookRequestInit>)
  | { readonly value: Maybe<HookRequestInit> }
  | { subscribe(run: (init: Maybe<HookRequestInit>) => void): (() => void) | { unsubscribe(): void } }

/** Reads the current init of a source. */
export function readInit(source: InitSource): HookRequestInit | undefined {
  if (typeof source === 'function') return readInit(source())
  if (source === undefined || source === null) return undefined
  if ('subscribe' in source && typeof source.subscribe === 'function') return readStore(source)
  // Recognized by its mark, as `isRef` of Vue does, because core imports no framework.
  if ('__v_isRef' in source && 'value' in source) return readInit(source.value)
  return source as HookRequestInit
}

/** Merges the init of a hook into that of an endpoint. Headers are merged by name; `method` and `body` stay. */
export function mergeInit(own: RequestInit, added: HookRequestInit | undefined): RequestInit {
  if (added === undefined) return own
  const more: RequestInit = { ...added }
  delete more.method
  delete more.body
  const headers = { ...headerRecord(own.headers), ...headerRecord(added.headers) }
  const signal = anySignal(own.signal, added.signal)
  return { ...own, ...more, headers, ...(signal === undefined ? {} : { signal }) }
}

/** Compares two inits: by identity, or by their members, with headers by name and value. */
export function isSameInit(a: InitSource, b: InitSource): boolean {
  if (a === b) return true
  if (!isPlainInit(a) || !isPlainInit(b)) return false
  const { headers: headersOfA, ...restOfA } = a
  const { headers: headersOfB, ...restOfB } = b
  return isSameRecord(headerRecord(headersOfA), headerRecord(headersOfB)) && isSameRecord(restOfA, restOfB)
}

type InitStore = Extract<InitSource, { subscribe: unknown }>

function readStore(store: InitStore): HookRequestInit | undefined {
  let current: Maybe<HookRequestInit>
  const end = store.subscribe((init) => (current = init))
  if (typeof end === 'function') end()
  else end.unsubscribe()
  return current ?? undefined
}

/** Returns `true` for an init that cannot change by itself. Reactive sources are compared by identity. */
function isPlainInit(source: InitSource): source is HookRequestInit {
  if (typeof source !== 'object' || source === null || 'subscribe' in source) return false
  const { __v_isRef, __v_isReactive } = source as { __v_isRef?: unknown; __v_isReactive?: unknown }
  return __v_isRef !== true && __v_isReactive !== true
}

/** Returns headers by name in lower case, because HTTP ignores the case. Omits headers that are `undefined`. */
function headerRecord(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined) return {}
  const isList = headers instanceof Headers || Array.isArray(headers)
  const entries = (isList ? [...headers] : Object.entries(headers)) as [string, string | undefined][]
  const record = Object.create(null) as Record<string, string>
  for (const [name, value] of entries) if (value !== undefined) record[name.toLowerCase()] = String(value)
  return record
}

function isSameRecord(a: object, b: object): boolean {
  const [entries, others] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))]
  return (
    entries.length === others.size &&
    entries.every(([name, value]) => others.has(name) && Object.is(others.get(name), value))
  )
}
