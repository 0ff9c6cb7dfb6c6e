import * as errors from '../errors.js'

/** When a lost connection is tried again. */
export interface ReconnectOptions {
  /** The wait before the first attempt, doubled for each further one: milliseconds. @default 1000 */
  readonly delayMs?: number | undefined
  /** The longest wait: milliseconds. @default 30000 */
  readonly maxDelayMs?: number | undefined
  /** How long a connection has to last for the next wait to be the first again: milliseconds. @default 10000 */
  readonly healthyMs?: number | undefined
  /**
   * Spreads the attempts of many clients that lost their server at the same time: a number from 0 up to 1, by which the
   * second half of each wait is multiplied. @default Math.random
   */
  readonly random?: (() => number) | undefined
}

/** The waits between attempts to connect. */
export class Backoff {
  readonly healthyMs: number
  readonly #delayMs: number
  readonly #maxDelayMs: number
  readonly #random: () => number
  /** How often it was tried since the last connection that lasted. */
  #attempts = 0

  constructor(options: ReconnectOptions) {
    const { delayMs = 1000, maxDelayMs = 30_000, healthyMs = 10_000, random = Math.random } = options
    this.healthyMs = healthyMs
    this.#delayMs = delayMs
    this.#maxDelayMs = maxDelayMs
    this.#random = random
  }

  /** @returns how long to wait before the next attempt: milliseconds */
  next(): number {
    // 2 ** 30 is more than any wait; the power of a server that is gone for days would be Infinity.
    const delayMs = Math.min(this.#maxDelayMs, this.#delayMs * 2 ** Math.min(30, this.#attempts++))
    return (delayMs / 2) * (1 + this.#random())
  }

  reset(): void {
    this.#attempts = 0
  }
}

/** @throws {SelfsameError} `definition-invalid` for a length that no timer waits */
export function requireLengths(name: string, lengths: Readonly<Record<string, number | undefined>>): void {
  for (const [option, length] of Object.entries(lengths)) {
    if (length === undefined || (length >= 0 && length < 2 ** 31)) continue
    throw errors.liveLengthInvalid(name, option, length)
  }
}
