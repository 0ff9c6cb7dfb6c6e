/** A new price. */
export interface Tick {
  readonly symbol: string
  readonly amount: number
  /** The number of the tick, counted over all symbols. */
  readonly sequence: number
}

const symbols = ['AQUA', 'BIRCH', 'COAL', 'DUNE', 'EMBER', 'FJORD'] as const
const tickMs = 500

/** Prices that change by themselves while there are listeners. */
export class Ticker {
  readonly #prices = new Map<string, Tick>(
    symbols.map((symbol, index) => [symbol, { symbol, amount: 100 + 10 * index, sequence: 0 }]),
  )
  readonly #listeners = new Set<(tick: Tick) => void>()
  #sequence = 0
  #timer: NodeJS.Timeout | undefined

  get prices(): readonly Tick[] {
    return [...this.#prices.values()]
  }

  /** @returns a function that ends it */
  subscribe(listener: (tick: Tick) => void): () => void {
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => this.tick(), tickMs)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.stop()
    }
  }

  /** Moves the price of the next symbol by up to 2 percent. */
  tick(): void {
    const sequence = ++this.#sequence
    const symbol = symbols[sequence % symbols.length] ?? symbols[0]
    const { amount } = this.#prices.get(symbol) ?? { amount: 100 }
    // A fixed pattern of equal steps up and down, so that prices stay in a range.
    const step = 0.02 * Math.sin(sequence)
    const tick = { symbol, amount: Math.round(amount * (1 + step) * 100) / 100, sequence }
    this.#prices.set(symbol, tick)
    for (const listener of this.#listeners) listener(tick)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
