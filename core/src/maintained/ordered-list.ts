/** The most items of a chunk. A full chunk is split into two. */
const chunkLength = 512

/**
 * A list that stays in order: an item is found, inserted and removed by a binary search, in chunks, so that only a few hundred
 * items are moved, however long the list is.
 */
export class OrderedList<Item> {
  readonly #compare: (a: Item, b: Item) => number
  /** All items, until the first search: most lists are only read. */
  #whole: readonly Item[] | undefined
  #parts: Item[][] = []
  #length = 0

  /** @param compare - a total order: 0 only for an item and itself, or what replaces it */
  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare
  }

  get length(): number {
    return this.#length
  }

  /** Replaces all items. @param items - in order; they are not copied before the list changes */
  fillWith(items: readonly Item[]): void {
    this.#length = items.length
    this.#whole = items
    this.#parts = []
  }

  /** Adds an item. @returns its index */
  insert(item: Item): number {
    const chunks = this.#chunks
    this.#length++
    if (chunks.length === 0) {
      chunks.push([item])
      return 0
    }
    const at = Math.min(this.#chunkOf(item), chunks.length - 1)
    const chunk = chunks[at] as Item[]
    const index = this.#indexIn(chunk, item)
    chunk.splice(index, 0, item)
    const before = this.#lengthBefore(at)
    if (chunk.length > chunkLength) chunks.splice(at + 1, 0, chunk.splice(chunkLength >> 1))
    return before + index
  }

  /** Removes an item. @returns the index that it had; -1 if it is not in the list */
  remove(item: Item): number {
    const [at, index] = this.#find(item)
    if (index === -1) return -1
    const chunk = this.#chunks[at] as Item[]
    const before = this.#lengthBefore(at)
    chunk.splice(index, 1)
    this.#length--
    if (chunk.length === 0) this.#chunks.splice(at, 1)
    return before + index
  }

  /** Puts an item in the place of an equal one. @returns the index; -1 if none is equal */
  replace(item: Item): number {
    const [at, index] = this.#find(item)
    if (index === -1) return -1
    ;(this.#chunks[at] as Item[])[index] = item
    return this.#lengthBefore(at) + index
  }

  /** Returns the item that is equal to another one. */
  find(item: Item): Item | undefined {
    const [at, index] = this.#find(item)
    return this.#chunks[at]?.[index]
  }

  at(index: number): Item | undefined {
    return this.slice(index, index + 1)[0]
  }

  /** Returns the items from one index up to another, which is not included. */
  slice(from = 0, to = this.#length): Item[] {
    if (this.#whole !== undefined) return this.#whole.slice(from, to)
    if (from === 0 && to >= this.#length) return this.#chunks.flat()
    const items: Item[] = []
    let start = 0
    for (const chunk of this.#chunks) {
      if (start >= to) break
      const end = start + chunk.length
      for (let index = Math.max(from, start); index < Math.min(to, end); index++)
        items.push(chunk[index - start] as Item)
      start = end
    }
    return items
  }

  get #chunks(): Item[][] {
    if (this.#whole === undefined) return this.#parts
    const half = chunkLength >> 1
    for (let from = 0; from < this.#length; from += half)
      this.#parts.push(this.#whole.slice(from, from + half))
    this.#whole = undefined
    return this.#parts
  }

  #lengthBefore(at: number): number {
    let length = 0
    for (let index = 0; index < at; index++) length += (this.#chunks[index] as Item[]).length
    return length
  }

  /** The index of the first chunk whose last item is not before an item. */
  #chunkOf(item: Item): number {
    const chunks = this.#chunks
    let [from, to] = [0, chunks.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const chunk = chunks[middle] as Item[]
      if (this.#compare(chunk[chunk.length - 1] as Item, item) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  /** The index of the first item of a chunk that is not before an item. */
  #indexIn(chunk: readonly Item[], item: Item): number {
    let [from, to] = [0, chunk.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#compare(chunk[middle] as Item, item) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  #find(item: Item): readonly [at: number, index: number] {
    const at = this.#chunkOf(item)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return [at, -1]
    const index = this.#indexIn(chunk, item)
    return [at, index < chunk.length && this.#compare(chunk[index] as Item, item) === 0 ? index : -1]
  }
}
