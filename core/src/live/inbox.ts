import type { Clock } from '../util/clock.js'

/** Limits the memory of pages in the background, whose timers fire rarely: this many messages are stored at once. */
const capacity = 10_000

/** Collects messages for a short time, so that readers are notified once for all of them. */
export class Inbox<Message> {
  readonly #clock: Clock
  readonly #batchMs: number
  readonly #store: (messages: readonly Message[]) => void
  #messages: Message[] = []
  #timer: unknown = undefined

  /**
   * @param batchMs - how long after the first message all are stored, in milliseconds; 0 stores each one immediately
   * @param store - called with the messages in order of arrival
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

  /** Stores the collected messages now. */
  flush(): void {
    const messages = this.#messages
    this.clear()
    if (messages.length > 0) this.#store(messages)
  }

  /** Drops the collected messages. */
  clear(): void {
    this.#messages = []
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
