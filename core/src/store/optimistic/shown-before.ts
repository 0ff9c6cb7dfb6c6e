import { getOrMake } from '../../util/get-or-make.js'
import { isPlainObject } from '../../util/plain.js'
import { viewsIn, unread } from '../view/view.js'
import type { View, ViewGraph } from '../view/view.js'

/** What views showed before layers changed it: once the layers are taken back, readers get the same objects again (G2). */
export class ShownBefore {
  /** The values from before all layers. */
  #values: KeptValues = new Map()
  /** The values from before each layer, with the layers below it. */
  readonly #byLayer = new Map<unknown, KeptValues>()

  /**
   * Keeps the values of views, and of all views that show them. A value that is kept already stays.
   *
   * @param layer - the layer that wrote
   * @param written - views whose input was written; none was read since
   */
  keep(layer: unknown, written: readonly View[]): void {
    const views = new Set(written)
    const own = getOrMake(this.#byLayer, layer, () => new Map())
    for (const view of views) {
      if (view.value !== undefined) {
        for (const kept of [this.#values, own]) if (!kept.has(view)) kept.set(view, view.value)
      }
      for (const dependent of viewsIn(view.dependents)) views.add(dependent)
    }
  }

  /** Drops what was kept for a layer that is gone. */
  drop(layer: unknown): void {
    this.#byLayer.delete(layer)
  }

  clear(): void {
    // A new one: the engine keeps what `clear` leaves until a full collection.
    this.#values = new Map()
    this.#byLayer.clear()
  }

  /** Restores the kept values of the views that show the same again: as before a layer, or as before all of them. */
  restore(graph: ViewGraph, layer: unknown): void {
    const own: KeptValues = this.#byLayer.get(layer) ?? new Map()
    // Before the first read, which renews the views that it depends on.
    const last: KeptValues = new Map(
      [...own.keys(), ...this.#values.keys()].map((view) => [view, view.value]),
    )
    const found: Found = { renewed: new Map(), same: new Map() }
    for (const kept of [own, this.#values]) findSame(graph, kept, last, found)
    const { same } = found
    for (const [view, before] of same) view.value = before
    for (const view of same.keys()) {
      for (const dependent of viewsIn(view.dependents)) {
        const isKept = [own, this.#values].some((kept) => kept.get(dependent) === dependent.value)
        // It shows an object that was replaced.
        if (!same.has(dependent) && !isKept) graph.forget(dependent)
      }
    }
    this.drop(layer)
  }
}

/** The values of views. */
type KeptValues = Map<View, unknown>

/** The kept values that views show again, in new objects. */
interface Found {
  /** The new objects by the kept ones. Objects refer to each other in cycles, so all count as equal until one differs. */
  readonly renewed: Map<unknown, unknown>
  readonly same: KeptValues
}

/**
 * Finds the views that show the same again as they did.
 *
 * @param last - the values before the layer was taken back
 * @param found - the views that were found for other values, to which it adds
 */
function findSame(graph: ViewGraph, values: KeptValues, last: KeptValues, { renewed, same }: Found): void {
  const own: KeptValues = new Map()
  for (const [view, before] of values) {
    const now = readOf(graph, view)
    if (now === undefined || now === before || now === last.get(view) || same.has(view)) continue
    own.set(view, before)
    renewed.set(before, now)
  }
  const isSame = (a: unknown, b: unknown): boolean =>
    Object.is(a, b) || (renewed.get(a) === b && b !== undefined) || (isPlain(a) && hasSameParts(a, b, isSame))
  // A view that shows the object of its source shows the same as that: the two may have kept different objects.
  const isLike = (view: View, before: unknown) => (source: View) =>
    source.value !== view.value || (own.get(source) ?? same.get(source)) === before
  for (let size = -1; size !== own.size;) {
    size = own.size
    const unchecked = [...own.keys()]
    for (const view of unchecked) {
      const before = own.get(view)
      if (before === undefined) continue
      if (view.sources.every(isLike(view, before)) && hasSameParts(before, view.value, isSame)) continue
      own.delete(view)
      renewed.delete(before)
      for (const dependent of viewsIn(view.dependents)) unchecked.push(dependent)
    }
  }
  for (const [view, before] of own) same.set(view, before)
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
