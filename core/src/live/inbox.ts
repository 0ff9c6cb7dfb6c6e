import type { Clock } from '../util/clock.js'

/** How many messages are kept at most until they are stored: a page in the background has timers that fire rarely. */
const capacity = 10_000

/** Collects messages for a short time, so that readers are told once of all of them. */
export class Inbox<Message> {
  readonly #clock: Clock
  readonly #batchMs: number
  readonly #store: (messages: readonly Message[]) => void
  #messages: Message[] = []
  #timer: unknown = undefined

  /**
   * @param batchMs - how long after the first message they are stored: milliseconds; 0 stores each at once
   * @param store - is given what came, in order
   */
  constructor(clock: Clock, batchMs: number, store: (messages: readonly Message[]) => void) {
    this.#clock = clock
    this.#batchMs = batchMs
    this.#store = store
  }

  add(message: Message): void {
    this.#messages.push(message)
    if (this.#batchMs === 0 || this.#messages.length >= capacity) this.flush()
    else this.#timer ??= this.#clock.setTimeout(() => this.flush(), this.#batchMs)
  }

  /** Stores now what came. */
  flush(): void {
    const messages = this.#messages
    this.clear()
    if (messages.length > 0) this.#store(messages)
  }

  /** Forgets what came. */
  clear(): void {
    this.#messages = []
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
