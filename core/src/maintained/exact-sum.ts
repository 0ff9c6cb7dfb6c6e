/**
 * A sum of numbers that are added and taken away again. It is exact until it is read: the same numbers have the same sum,
 * whatever was among them meanwhile, and in whatever order.
 */
export class ExactSum {
  /** Numbers of increasing size whose sum is exact, because no two of them have digits at the same place. */
  #parts: number[] = []
  /** How often each of the numbers is there with which no sum is exact. */
  readonly #infinite = new Map<number, number>()

  add(value: number): void {
    if (Number.isFinite(value)) this.#addFinite(value)
    else this.#infinite.set(value, (this.#infinite.get(value) ?? 0) + 1)
  }

  remove(value: number): void {
    if (Number.isFinite(value)) return this.#addFinite(-value)
    const count = (this.#infinite.get(value) ?? 0) - 1
    if (count > 0) this.#infinite.set(value, count)
    else this.#infinite.delete(value)
  }

  /** The sum, rounded once. */
  get value(): number {
    if (this.#infinite.size > 0) return [...this.#infinite.keys()].reduce((sum, value) => sum + value, 0)
    const parts = this.#parts
    let index = parts.length - 1
    let high = parts[index] ?? 0
    let low = 0
    while (index > 0) {
      const before = high
      const part = parts[--index] as number
      high = before + part
      low = part - (high - before)
      if (low !== 0) break
    }
    // Half-way between two numbers: the next part decides.
    const next = parts[index - 1]
    if (next !== undefined && index > 0 && low !== 0 && next < 0 === low < 0) {
      const twice = low * 2
      const sum = high + twice
      if (twice === sum - high) high = sum
    }
    return high + 0
  }

  /** Shewchuk's exact addition: each rounding error is kept as a part of its own. */
  #addFinite(added: number): void {
    const parts = this.#parts
    if (parts.length <= 1) {
      const sum = (parts[0] ?? 0) + added
      // The common case: whole numbers.
      if (Number.isSafeInteger(sum) && Number.isSafeInteger(added) && Number.isSafeInteger(parts[0] ?? 0)) {
        this.#parts = sum === 0 ? [] : [sum]
        return
      }
    }
    const next: number[] = []
    let rest = added
    for (const part of parts) {
      const [large, small] = Math.abs(rest) < Math.abs(part) ? [part, rest] : [rest, part]
      const high = large + small
      const low = small - (high - large)
      if (low !== 0) next.push(low)
      rest = high
    }
    if (rest !== 0) next.push(rest)
    this.#parts = next
  }
}
