import * as errors from '../errors.js'
import type { TaggedPromise } from '../util/settleable.js'

/** What tells one call from another. */
interface NamedByKey {
  readonly key: string
}

/** A request of a call, as far as it says what came of it. */
interface Attempt {
  readonly call: NamedByKey
  readonly isWaitedFor: boolean
  readonly answer: { readonly promise: TaggedPromise<unknown> }
}

interface Unkeyed {
  readonly name: string
  readonly fetch?: unknown
}

/** A call of an Endpoint without a name that a reader asked for. */
interface Asked {
  readonly attempt: Attempt
  /** Whether a reader on screen has shown what came of it. */
  isShown: boolean
}

/** How many functions and arguments are remembered: beyond it the oldest is forgotten. */
const mostRemembered = 100

/**
 * What a Controller has to look out for with Endpoints that have neither name nor key, each of which has calls of its
 * own. One that is made anew in each render never shows what it asked for: the response renders its reader again, with
 * another Endpoint. Comes with `Endpoint`: an application without one ships none of it.
 */
export class UnnamedCalls {
  /** By the text of the function and the arguments. */
  readonly #asked = new Map<string, Asked[]>()
  readonly #byCall = new WeakMap<NamedByKey, Asked>()

  /** A reader is about to ask. @returns why it must not: two Endpoints with the function asked, and neither was shown */
  refusal(endpoint: Unkeyed, call: NamedByKey): Error | undefined {
    if (this.#byCall.get(call)?.isShown === true) return undefined
    const asked = this.#asked.get(textOf(endpoint, call)) ?? []
    const inVain = asked.filter(
      ({ attempt, isShown }) =>
        attempt.call !== call && !isShown && attempt.answer.promise.status !== 'pending',
    )
    return inVain.length > 1 ? errors.endpointMadeAnew(endpoint.name) : undefined
  }

  /** A reader has asked. */
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

  /** A reader shows a call, or waits for nothing of it. */
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

/** Whether a key is that of an Endpoint without a name, which no other page knows. */
export function isUnnamed(key: string): boolean {
  return /^\(unnamed \d+\) /.test(key)
}

/** The name of the function of such an Endpoint. */
export function nameInKey(key: string): string {
  return key.slice(key.indexOf(')') + 2, key.indexOf(' ['))
}
