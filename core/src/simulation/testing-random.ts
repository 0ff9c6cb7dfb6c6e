/** Pseudo-random numbers, the same ones for the same seed. */
export interface Random {
  /** From 0 up to, and not including, 1. */
  fraction(): number
  /** An integer from 0 up to, and not including, `limit`. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    // The index is below the length, so there is an item.
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    shuffled: (items) => {
      const left = [...items]
      return items.flatMap(() => left.splice(below(left.length), 1))
    },
  }
}
