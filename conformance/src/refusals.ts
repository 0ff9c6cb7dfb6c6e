/** A part of a platform that is not there, and in which way it is not. */
export interface Refusal {
  /** Where it is looked for: a path from the global object. */
  readonly part:
    | 'navigator'
    | 'navigator.locks'
    | 'document'
    | 'indexedDB'
    | 'BroadcastChannel'
    | 'localStorage'
    | 'sessionStorage'
    | 'caches'
    | 'crypto'
    | 'crypto.randomUUID'
    | 'structuredClone'
  readonly how: How
}

/**
 * - `missing`: as in an older browser, or in a page without HTTPS.
 * - `null`: as `navigator.locks` in happy-dom, and `localStorage` in some web views.
 * - `access throws`: as `localStorage` in a sandboxed frame, and `indexedDB` in some browsers.
 * - `use throws`: as `indexedDB.open()` in a sandboxed frame. A constructor throws too.
 * - `use rejects`: as `navigator.locks.request()` in a sandboxed frame.
 * - `use fails`: as the request of `indexedDB.open()`, which has an error, in a private window of some browsers.
 */
export type How = 'missing' | 'null' | 'access throws' | 'use throws' | 'use rejects' | 'use fails'

const of = (part: Refusal['part'], ...hows: readonly How[]): Refusal[] => hows.map((how) => ({ part, how }))

/** What a browser may lack or refuse, and every way in which it does. */
export const refusals: readonly Refusal[] = [
  ...of('navigator.locks', 'missing', 'null', 'access throws', 'use throws', 'use rejects'),
  ...of('indexedDB', 'missing', 'null', 'access throws', 'use throws', 'use fails'),
  ...of('BroadcastChannel', 'missing', 'null', 'access throws', 'use throws'),
  ...of('localStorage', 'missing', 'null', 'access throws', 'use throws'),
  ...of('sessionStorage', 'missing', 'null', 'access throws', 'use throws'),
  ...of('caches', 'missing', 'null', 'access throws', 'use rejects'),
  ...of('crypto', 'missing', 'null', 'access throws'),
  ...of('crypto.randomUUID', 'missing', 'use throws'),
  ...of('structuredClone', 'missing', 'use throws'),
]

/** The parts without which an entry does less: development tells of each of them once. */
export const needs = {
  outbox: ['navigator.locks', 'indexedDB', 'BroadcastChannel', 'localStorage'],
  persist: ['indexedDB', 'localStorage'],
  syncTabs: ['navigator.locks', 'BroadcastChannel'],
} as const satisfies Readonly<Record<string, readonly Refusal['part'][]>>

/** An entry of the core that uses what a browser has. */
export type Entry = keyof typeof needs

/** The entry that a warning is of, and the part of the platform that it names. */
const subjects: readonly (readonly [Entry, Refusal['part'], RegExp])[] = [
  ['outbox', 'navigator.locks', /outbox.*Web Locks|Web Locks.*outbox/s],
  ['outbox', 'indexedDB', /outbox cannot store/],
  ['outbox', 'BroadcastChannel', /outbox.*BroadcastChannel|BroadcastChannel.*outbox/s],
  ['outbox', 'localStorage', /localStorage.*outboxOf/s],
  ['persist', 'localStorage', /localStorage.*persisted/s],
  ['persist', 'indexedDB', /persist\(\).*storage/s],
  ['syncTabs', 'navigator.locks', /syncTabs\(\).*Web Locks|Web Locks.*syncTabs\(\)/s],
  ['syncTabs', 'BroadcastChannel', /syncTabs\(\).*BroadcastChannel|BroadcastChannel.*syncTabs\(\)/s],
]

/** Returns what a warning tells of, `outbox: indexedDB` for example, or its text if it tells of something else. */
export function subjectOf(warning: string): string {
  const [entry, part] = subjects.find(([, , text]) => text.test(warning)) ?? []
  return entry === undefined ? warning : `${entry}: ${part}`
}

/**
 * What an application with some entries has to be told, where some parts of its platform are not there.
 *
 * @param isReset - `true` if it was reset: `localStorage` is needed for that alone
 */
export function toldOf(
  entries: readonly Entry[],
  parts: readonly Refusal['part'][],
  isReset = false,
): string[] {
  const isNeeded = (part: Refusal['part']) => isReset || part !== 'localStorage'
  const told = entries.flatMap((entry) =>
    needs[entry].filter((part) => parts.includes(part) && isNeeded(part)).map((part) => `${entry}: ${part}`),
  )
  // Without locks the outbox opens no channel, and without a channel syncTabs() needs no locks.
  const covers: Readonly<Record<string, string>> = {
    'outbox: BroadcastChannel': 'outbox: navigator.locks',
    'syncTabs: navigator.locks': 'syncTabs: BroadcastChannel',
    // What is not stored is not there after a reset.
    'outbox: localStorage': 'outbox: indexedDB',
    'persist: localStorage': 'persist: indexedDB',
  }
  return told.filter((each) => !told.includes(covers[each] ?? '')).sort()
}

/* eslint-disable unicorn/consistent-function-scoping -- a page of a browser gets this function alone */

/**
 * Takes a part of the platform away. Names nothing outside of itself, so that it runs in a page of a browser too.
 *
 * @returns a function that gives it back
 */
export function refuse({ part, how }: Refusal): () => void {
  const refusal = () => new DOMException('The operation is insecure.', 'SecurityError')
  const throws = (): never => {
    throw refusal()
  }
  /** Each of its members is a function, and it may be called or constructed itself. */
  const unusable = (use: () => unknown) =>
    new Proxy(function refused() {}, { get: () => use, apply: use, construct: use as () => object })
  const failing = () => {
    const request = Object.assign(new EventTarget(), { error: refusal(), onerror: () => {} })
    setTimeout(() => {
      request.onerror()
      request.dispatchEvent(new Event('error'))
    })
    return request
  }
  const path = part.split('.')
  const name = path.pop() as string
  const owner = path.reduce<object>(
    (from, key) => (from as Record<string, object>)[key] as object,
    globalThis,
  )
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const given: PropertyDescriptor = {
    missing: { value: undefined },
    null: { value: null },
    'access throws': { get: throws },
    'use throws': { value: unusable(throws) },
    'use rejects': { value: unusable(() => Promise.reject(refusal())) },
    'use fails': { value: unusable(failing) },
  }[how]
  Object.defineProperty(owner, name, { ...given, configurable: true })
  return () => {
    if (before === undefined) delete (owner as Record<string, unknown>)[name]
    else Object.defineProperty(owner, name, before)
  }
}
