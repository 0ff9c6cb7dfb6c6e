import { development } from '#development'
import { isUnnamed } from '../endpoint/endpoint.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { Call } from '../store/call.js'
import type { ReadAttempt } from './request.js'

/** A call of an Endpoint without a name that a reader asked for. */
interface Asked {
  readonly row: Call
  readonly attempt: ReadAttempt
  /** Whether a reader on screen has shown what came of it. */
  isShown: boolean
}

/** How many functions and arguments are remembered: beyond it the oldest is forgotten. */
const mostRemembered = 100

/**
 * What a Controller has to look out for with Endpoints that have neither name nor key, each of which has calls of its
 * own. One that is made anew in each render never shows what it asked for: the answer renders its reader again, with
 * another Endpoint.
 */
export class Unnamed {
  /** By the text of the function and the arguments. */
  readonly #asked = new Map<string, Asked[]>()
  readonly #byRow = new WeakMap<Call, Asked>()
  readonly #told = new Set<string>()

  /** A reader is about to ask. @returns why it must not: two Endpoints with the function asked, and neither was shown */
  refusal(endpoint: EndpointLike, row: Call): Error | undefined {
    if (this.#byRow.get(row)?.isShown === true) return undefined
    const asked = this.#asked.get(textOf(endpoint, row)) ?? []
    const inVain = asked.filter(
      ({ row: other, attempt, isShown }) =>
        other !== row && !isShown && attempt.answer.promise.status !== 'pending',
    )
    return inVain.length > 1 ? errors.endpointMadeAnew(endpoint.name) : undefined
  }

  /** A reader has asked. */
  note(endpoint: EndpointLike, attempt: ReadAttempt): void {
    const { call: row } = attempt
    if (this.#byRow.get(row)?.isShown === true) return
    const text = textOf(endpoint, row)
    const entry: Asked = { row, attempt, isShown: false }
    const others = (this.#asked.get(text) ?? []).filter((other) => other.row !== row && !other.isShown)
    this.#byRow.set(row, entry)
    // At the end of the Map: the oldest is at its beginning.
    this.#asked.delete(text)
    this.#asked.set(text, [...others, entry])
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > mostRemembered && oldest !== undefined) this.#asked.delete(oldest)
  }

  /** A reader shows a row, or waits for nothing of it. */
  noteShown(row: Call): void {
    const entry = this.#byRow.get(row)
    if (entry === undefined) return
    const { isWaitedFor, answer } = entry.attempt
    if (!isWaitedFor || answer.promise.status !== 'pending') entry.isShown = true
  }

  /** Whether another page can know a call. Says so where it cannot, once for each name. */
  isKnownElsewhere(key: string): boolean {
    if (!isUnnamed(key)) return true
    const name = nameIn(key)
    if (development && !this.#told.has(name)) {
      this.#told.add(name)
      warn(
        `dehydrate() leaves out the calls of the Endpoint ${name}, which has neither a \`name\` nor a \`key\`, so that no other page knows them. Give it \`{ name: '${name}' }\`.`,
      )
    }
    return false
  }
}

function textOf(endpoint: EndpointLike, { key }: Call): string {
  return `${String((endpoint as { fetch?: unknown }).fetch)} ${key.slice(key.indexOf(')'))}`
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(')') + 2, key.indexOf(' ['))
}
