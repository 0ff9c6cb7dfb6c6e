import { development } from '#development'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import type { Call } from '../store/call.js'
import type { Store } from '../store/store.js'
import { createAttempt } from './reads.js'
import type { ReadAttempt } from './reads.js'

/** A requested call of an Endpoint without a name. */
interface UnnamedRequests {
  readonly attempt: ReadAttempt
  /** `true` if a reader on screen has shown its outcome. */
  isShown: boolean
}

/**
 * How many responses nobody has to show before another request is refused. A net in production, which leaves room for code
 * that works; development tells of the mistake early.
 */
const mostUnread = development ? 1 : 20
/** The number of remembered functions with their arguments. The oldest is dropped first. */
const mostRemembered = 100

/**
 * Finds Endpoints without a name and a key that a component creates in each render. Such an Endpoint requests without end:
 * each response renders the component, which creates another Endpoint with other calls.
 */
export class UnnamedCalls {
  /** By the text of the function and the arguments. */
  readonly #asked = new Map<string, UnnamedRequests[]>()
  readonly #byCall = new WeakMap<Call, UnnamedRequests>()

  /** Called before a request. @returns an error if several Endpoints with the same function were fetched and not shown */
  refusal(endpoint: EndpointLike, call: Call): Error | undefined {
    if (this.#byCall.get(call)?.isShown === true) return undefined
    const asked = this.#asked.get(unnamedText(endpoint, call)) ?? []
    const inVain = asked.filter(
      ({ attempt, isShown }) =>
        attempt.call !== call && !isShown && attempt.answer.promise.status !== 'pending',
    )
    return inVain.length > mostUnread ? errors.endpointMadeAnew(endpoint.name) : undefined
  }

  /** Called after a request of a reader. */
  note(endpoint: EndpointLike, attempt: ReadAttempt): void {
    const { call } = attempt
    if (this.#byCall.get(call)?.isShown === true) return
    const text = unnamedText(endpoint, call)
    const entry: UnnamedRequests = { attempt, isShown: false }
    const others = (this.#asked.get(text) ?? []).filter(
      (other) => other.attempt.call !== call && !other.isShown,
    )
    this.#byCall.set(call, entry)
    // At the end of the Map: the oldest is at its beginning.
    this.#asked.delete(text)
    this.#asked.set(text, [...others, entry])
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > mostRemembered && oldest !== undefined) this.#asked.delete(oldest)
  }

  /** Called when a reader shows a call, or does not wait for it. */
  noteShown(call: Call): void {
    const entry = this.#byCall.get(call)
    if (entry === undefined) return
    const { isWaitedFor, answer } = entry.attempt
    if (!isWaitedFor || answer.promise.status !== 'pending') entry.isShown = true
  }
}

function unnamedText(endpoint: EndpointLike, { key }: Call): string {
  const { fetch } = endpoint as { readonly fetch?: unknown }
  return `${String(fetch)} ${key.slice(key.indexOf(')'))}`
}

/** Fails a call permanently without a request. */
export function refuse(
  store: Store,
  endpoint: EndpointLike,
  args: readonly unknown[],
  call: Call,
  error: Error,
): ReadAttempt {
  const start = store.nextSequence()
  store.move(call, { type: 'failed', error, start, expiresAt: Infinity })
  // The caller may be rendering.
  queueMicrotask(() => store.notify())
  const attempt = createAttempt(endpoint, args, call, start)
  attempt.answer.promise.catch(() => {})
  attempt.answer.reject(error)
  return attempt
}
