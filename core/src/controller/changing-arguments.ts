import { isUnnamed } from '../endpoint/unnamed-key.js'
import { warn } from '../errors.js'
import type { Call } from '../store/call.js'
import type { Clock } from '../util/clock.js'
import { isPlainObject, isSamePlain } from '../util/plain.js'
import type { ReadAttempt } from './reads.js'

/** What the calls of a Controller keep for it. */
interface NotedArguments {
  changing: ChangingArguments | undefined
  readonly clock: Clock
}

/** The last request of an endpoint that a reader asked for. */
interface AskedArguments {
  readonly attempt: ReadAttempt
  /** How many requests before it were answered in vain, one after the other. */
  readonly inVain: number
  /** The names of the arguments that differed in all of these. */
  readonly names: readonly string[]
}

/** So many responses in a row that nobody showed are no accident. */
const mostChanging = 3

/** A render follows its response soon, in milliseconds. What a user does takes longer. */
const longestRenderMs = 500

/**
 * Finds readers whose arguments differ in each render, such as `Date.now()`: each response renders the component, which then asks
 * for another call, so that no response is shown and requests do not end. Development only.
 *
 * A search field is none of these: what is typed replaces a request that is not answered yet, or whose response was shown.
 */
export class ChangingArguments {
  /** By the name of the endpoint. */
  readonly #last = new Map<string, AskedArguments>()
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
  note(name: string, attempt: ReadAttempt, now: number): void {
    const last = this.#last.get(name)
    if (last?.attempt.call === attempt.call || this.#warned.has(name)) return
    const names = last === undefined || !this.#isInVain(last, now) ? [] : namesOfOthers(last, attempt)
    const inVain = names.length > 0 && last !== undefined ? last.inVain + 1 : 0
    this.#last.set(name, { attempt, inVain, names })
    if (inVain < mostChanging) return
    this.#warned.add(name)
    this.#last.delete(name)
    const what = names.map((each) => `"${each}"`).join(' and ')
    warn(
      `${name} is read with a new value of ${what} in each render: ${inVain} responses in a row arrived for arguments that no reader uses any more, and each caused the next request. Create the value once, in state or outside the component, or round it so that it stays the same for a while. https://github.com/selfsame-data/selfsame/blob/main/docs/development.md#warnings`,
    )
  }

  /** `true` for a request that was answered a moment ago, and whose response no reader has read. */
  #isInVain({ attempt }: AskedArguments, now: number): boolean {
    const { call, isAborted, answer } = attempt
    if (isAborted || answer.promise.status !== 'fulfilled' || this.#seen.has(call)) return false
    return now - call.age.fetchedAt <= longestRenderMs
  }
}

/** Called when a reader sends or joins a request because it was mounted, or got other arguments. Development only. */
export function noteArguments(calls: NotedArguments, name: string, attempt: ReadAttempt): void {
  // An Endpoint without a name that is made anew is refused.
  if (!isUnnamed(attempt.call.key))
    (calls.changing ??= new ChangingArguments()).note(name, attempt, calls.clock.now())
}

/** The names of the arguments that two requests differ in, and that also changed before. */
function namesOfOthers(last: AskedArguments, { args }: ReadAttempt): readonly string[] {
  const [before] = last.attempt.args
  const [now] = args
  const differing =
    isPlainObject(before) && isPlainObject(now)
      ? Object.keys(now).filter((name) => !isSamePlain(before[name], now[name]))
      : ['the argument']
  return last.inVain === 0 ? differing : differing.filter((name) => last.names.includes(name))
}
