import { isPlainObject } from '../../util/plain.js'
import { viewsIn } from '../view/dependents.js'
import { unread } from '../view/view.js'
import type { View, ViewGraph } from '../view/view.js'

/** What views showed before layers changed it: once the layers are taken back, readers get the same objects again (G2). */
export class ShownBefore {
  readonly #values = new Map<View, unknown>()

  /**
   * Keeps the values of views, and of all views that show them. A value that is kept already stays.
   *
   * @param written - views whose input was written; none was read since
   */
  keep(written: readonly View[]): void {
    const views = new Set(written)
    for (const view of views) {
      if (view.value !== undefined && !this.#values.has(view)) this.#values.set(view, view.value)
      for (const dependent of viewsIn(view.dependents)) views.add(dependent)
    }
  }

  clear(): void {
    this.#values.clear()
  }

  /** Restores the kept values of the views that show the same again. */
  restore(graph: ViewGraph): void {
    /** The new objects by the kept ones. Objects refer to each other in cycles, so all count as equal until one differs. */
    const renewed = new Map<unknown, unknown>()
    const same = new Map<View, unknown>()
    // Before the first read, which renews the views that it depends on.
    const kept = [...this.#values].map(([view, before]) => ({ view, before, last: view.value }))
    for (const { view, before, last } of kept) {
      const now = readOf(graph, view)
      if (now === undefined || now === before || now === last) continue
      same.set(view, before)
      renewed.set(before, now)
    }
    const isSame = (a: unknown, b: unknown): boolean =>
      Object.is(a, b) ||
      (renewed.get(a) === b && b !== undefined) ||
      (isPlain(a) && hasSameParts(a, b, isSame))
    // A view that shows the object of its source shows the same as that: the two may have kept different objects.
    const isLike = (view: View, before: unknown) => (source: View) =>
      source.value !== view.value || same.get(source) === before
    for (let last = -1; last !== same.size;) {
      last = same.size
      const unchecked = [...same.keys()]
      for (const view of unchecked) {
        const before = same.get(view)
        if (before === undefined) continue
        if (view.sources.every(isLike(view, before)) && hasSameParts(before, view.value, isSame)) continue
        same.delete(view)
        renewed.delete(before)
        for (const dependent of viewsIn(view.dependents)) unchecked.push(dependent)
      }
    }
    for (const [view, before] of same) view.value = before
    for (const view of same.keys()) {
      for (const dependent of viewsIn(view.dependents)) {
        // It shows an object that was replaced.
        if (!same.has(dependent) && dependent.value !== this.#values.get(dependent)) graph.forget(dependent)
      }
    }
  }
}

/** The current value of a view; `undefined` if the view was dropped, or the code of the application throws. */
function readOf(graph: ViewGraph, view: View): unknown {
  if (view.flags & unread) return undefined
  try {
    return graph.read(view)
  } catch {
    return undefined
  }
}

function isPlain(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value) || value instanceof Date
}

/** True if two objects of one class have the same own fields. */
function hasSameParts(a: unknown, b: unknown, isSame: (a: unknown, b: unknown) => boolean): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Date) return a.getTime() === (b as Date).getTime()
  const [before, now] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(before[name], now[name]))
  )
}
