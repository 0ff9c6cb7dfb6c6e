import * as errors from '../errors.js'
import type { TaggedPromise } from '../util/settleable.js'

/** A call, by its key. */
interface NamedByKey {
  readonly key: string
}

/** A request of a call, with its outcome. */
interface Attempt {
  readonly call: NamedByKey
  readonly isWaitedFor: boolean
  readonly answer: { readonly promise: TaggedPromise<unknown> }
}

interface Unkeyed {
  readonly name: string
  readonly fetch?: unknown
}

/** A requested call of an Endpoint without a name. */
interface Asked {
  readonly attempt: Attempt
  /** `true` if a reader on screen has shown its outcome. */
  isShown: boolean
}

/** The number of remembered functions with their arguments. The oldest is dropped first. */
const mostRemembered = 100

/**
 * Finds Endpoints without a name and a key that a component creates in each render. Such an Endpoint requests without end:
 * each response renders the component, which creates another Endpoint with other calls. Development only.
 */
export class UnnamedCalls {
  /** By the text of the function and the arguments. */
  readonly #asked = new Map<string, Asked[]>()
  readonly #byCall = new WeakMap<NamedByKey, Asked>()

  /** Called before a request. @returns an error if two Endpoints with the same function were fetched and not shown */
  refusal(endpoint: Unkeyed, call: NamedByKey): Error | undefined {
    if (this.#byCall.get(call)?.isShown === true) return undefined
    const asked = this.#asked.get(textOf(endpoint, call)) ?? []
    const inVain = asked.filter(
      ({ attempt, isShown }) =>
        attempt.call !== call && !isShown && attempt.answer.promise.status !== 'pending',
    )
    return inVain.length > 1 ? errors.endpointMadeAnew(endpoint.name) : undefined
  }

  /** Called after a request of a reader. */
  note(endpoint: Unkeyed, attempt: Attempt): void {
    const { call } = attempt
    if (this.#byCall.get(call)?.isShown === true) return
    const text = textOf(endpoint, call)
    const entry: Asked = { attempt, isShown: false }
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
  noteShown(call: NamedByKey): void {
    const entry = this.#byCall.get(call)
    if (entry === undefined) return
    const { isWaitedFor, answer } = entry.attempt
    if (!isWaitedFor || answer.promise.status !== 'pending') entry.isShown = true
  }
}

function textOf({ fetch }: Unkeyed, { key }: NamedByKey): string {
  return `${String(fetch)} ${key.slice(key.indexOf(')'))}`
}

/** Returns `true` for the key of an Endpoint without a name. No other page has the same key. */
export function isUnnamed(key: string): boolean {
  return /^\(unnamed \d+\) /.test(key)
}

/** Returns the function name in the key of such an Endpoint. */
export function nameInKey(key: string): string {
  return key.slice(key.indexOf(')') + 2, key.indexOf(' ['))
}
