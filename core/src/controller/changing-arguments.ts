import { isUnnamed } from '../endpoint/unnamed-key.js'
import { warn } from '../errors.js'
import type { Call } from '../store/call.js'
import type { Clock } from '../util/clock.js'
import { isPlainObject, isSamePlain } from '../util/plain.js'
import { isHeld } from './reads.js'
import type { ReadAttempt } from './reads.js'

/** What the calls of a Controller keep for it. */
interface NotedArguments {
  changing: ChangingArguments | undefined
  readonly clock: Clock
}

/** A request that a reader asked for. */
interface AskedArguments {
  readonly attempt: ReadAttempt
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The names of the arguments that differed from those of each request before it; none for a call that is asked for again. */
  readonly names: readonly string[]
}

/** So many responses in a row that nobody showed are no accident. */
const mostAnswered = 3

/** So many requests in a row that were given up are more than a word that is typed. */
const mostGivenUp = 30

/** A render follows what causes it soon, in milliseconds. */
const longestRenderMs = 500

const warningsGuide = 'https://github.com/selfsame-data/selfsame/blob/main/docs/development.md#warnings'

/**
 * Finds requests that cause each other: what a request or its response renders makes other arguments, such as `Date.now()`, or removes
 * the reader that asked. Development only.
 *
 * A search field is none of these: what is typed replaces a few requests that are not answered yet, or whose response was shown.
 */
export class ChangingArguments {
  /** The last requests in a row, by the name of the endpoint: all but the last two in vain. */
  readonly #asked = new Map<string, readonly AskedArguments[]>()
  /** The calls whose data a reader has read. */
  readonly #seen = new WeakSet<Call>()
  /** The readers that read between renders, and say themselves what they have shown. */
  readonly #others = new WeakSet<object>()
  readonly #warned = new Set<string>()

  /**
   * Called when a reader reads data of a call, while it renders.
   *
   * @param reader - `undefined` if it is certain that the data is shown
   */
  noteSeen(call: Call, reader?: object): void {
    if (reader === undefined || !this.#others.has(reader)) this.#seen.add(call)
  }

  /** Called for a reader whose content was removed because it waits: what follows its call from now on shows nothing. */
  ignore(reader: object): void {
    this.#others.add(reader)
  }

  /** Called when a reader sends or joins a request because it was mounted, or got other arguments. */
  note(name: string, attempt: ReadAttempt, at: number): void {
    const asked = this.#asked.get(name) ?? []
    const last = asked.at(-1)
    const isAgain = last?.attempt.call === attempt.call
    // Shared with another reader, or answered before.
    if (this.#warned.has(name) || (isAgain && !last.attempt.isAborted)) return
    const differing = last === undefined || isAgain ? [] : namesOfOthers(last.attempt, attempt)
    const names = asked.length < 2 ? differing : differing.filter((each) => last?.names.includes(each))
    const isAlike = asked.length < 2 || isAgain === (last?.names.length === 0)
    // A reader leaves its call after it has asked for the next one, so the request before the last is judged.
    const isInRow = isAlike && (isAgain || names.length > 0) && this.#isInVain(asked.at(-2), last)
    const inRow = isInRow
      ? [...asked, { attempt, at, names }]
      : [...asked.slice(-1), { attempt, at, names: differing }]
    this.#asked.set(name, inRow)
    const inVain = inRow.slice(0, -2)
    const answered = inVain.filter((each) => each.attempt.answer.promise.status === 'fulfilled').length
    if (answered < mostAnswered && inVain.length < mostGivenUp) return
    this.#warned.add(name)
    this.#asked.delete(name)
    warn(`${name} ${remedyFor(names, answered, inVain.length)} ${warningsGuide}`)
  }

  /** `true` for a request that its reader left, or whose response no reader had read, shortly before the next one. */
  #isInVain(asked: AskedArguments | undefined, next: AskedArguments | undefined): boolean {
    if (asked === undefined || next === undefined) return true
    const { call, isAborted, answer } = asked.attempt
    const isAnswered = answer.promise.status === 'fulfilled'
    if (isAnswered ? this.#seen.has(call) : !isAborted && isHeld(asked.attempt)) return false
    return next.at - (isAnswered ? call.age.fetchedAt : asked.at) <= longestRenderMs
  }
}

/** What happened, and the remedy. */
function remedyFor(names: readonly string[], answered: number, inVain: number): string {
  if (names.length === 0)
    return `was requested ${inVain} times in a row, and each time its reader left before the response. If the request itself removes the reader, as a component does that shows something else while useFetching counts requests, keep the reader, and show that beside it.`
  const what = names.map((name) => `"${name}"`).join(' and ')
  if (answered >= mostAnswered)
    return `is read with a new value of ${what} in each render: ${answered} responses in a row arrived for arguments that no reader uses any more, and each caused the next request. Create the value once, in state or outside the component, or round it so that it stays the same for a while.`
  return `sent ${inVain} requests in a row that were given up before their response, because a new value of ${what} followed. If a render creates the value, create it once, in state or outside the component. If it is typed or dragged, pass it through useDebounce.`
}

/** Called when a reader sends or joins a request because it was mounted, or got other arguments. Development only. */
export function noteArguments(calls: NotedArguments, name: string, attempt: ReadAttempt): void {
  // An Endpoint without a name that is made anew is refused.
  if (!isUnnamed(attempt.call.key))
    (calls.changing ??= new ChangingArguments()).note(name, attempt, calls.clock.now())
}

/** The names of the arguments that two requests differ in. */
function namesOfOthers(last: ReadAttempt, { args }: ReadAttempt): readonly string[] {
  const [before] = last.args
  const [now] = args
  return isPlainObject(before) && isPlainObject(now)
    ? Object.keys(now).filter((name) => !isSamePlain(before[name], now[name]))
    : ['the argument']
}
