import { isSameList } from '../util/plain.js'

/** The most lists that are remembered: those of before an optimistic update, and of taking it back. */
const mostEarlierLists = 2

/** The lists that were shown before the last one. One comes back, if somebody still has it, when it has the members of now. */
export class EarlierLists {
  #lists: readonly WeakRef<readonly unknown[]>[] = []

  /** Remembers a list, weakly. */
  add(list: readonly unknown[]): void {
    this.#lists = [new WeakRef(list), ...this.#lists].slice(0, mostEarlierLists)
  }

  /** Returns the list with the same members. @param at - a place that most of them differ in, which is looked at first */
  find(members: readonly unknown[], at = 0): readonly unknown[] | undefined {
    for (const weak of this.#lists) {
      const list = weak.deref()
      if (list !== undefined && list[at] === members[at] && isSameList(list, members)) return list
    }
    return undefined
  }
}
