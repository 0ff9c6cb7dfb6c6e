import { development } from '#development'
import { freezeDeep } from '../../util/freeze.js'
import { isSameItems } from '../../util/plain.js'
import { shareParts } from '../../util/shared-data.js'

/** The state of a view's value as bit flags; 0 if a recomputation would give the same value. */
export const clean = 0
/** A source of the view has changed, or its own input: the value has to be computed again. */
const dropped = 1
/** The view's own input was written since the value was computed. */
export const written = 2
/** The view's own input was written more than once, so it may have its earlier value again. */
const writtenAgain = 4
/** There is no value yet, or the view was removed: nobody has to be told. */
export const unread = 8
/** The value is created, and not filled yet. */
const unfinished = 16
/** Another value refers to this one, which was not filled yet: so it cannot be replaced by the one before it. */
const taken = 32
/**
 * There is no value because user code threw. Readers are told when what was read up to there changes. A call has the error as its
 * value until then: a read throws it again.
 */
export const failed = 64
/** There is no value. */
export const valueless = unread | failed

/** Shared by all views that have no sources. */
const noViews: readonly View[] = Object.freeze([])

/** Values nested deeper than this are queued until those above them are finished, so that no graph overflows the stack. */
const deepestFilling = 50

/**
 * The outcome of `begin`. `to finish late`: the value has its plain fields and is finished after the lists that a Query in it
 * may read. `to finish last`: only readers depend on the view, so it is finished after all others.
 */
export type Beginning = 'complete' | 'to finish' | 'to finish late' | 'to finish last'

/**
 * A memoized read. Views form a graph from records up to results: a computation links a view to its sources. At the end of a
 * commit, what really differs drops the values above it; a read computes these again (specification G1, G2, Costs).
 */
export abstract class View {
  /** The last computed value. Read it through `ViewGraph.read`. */
  value: unknown = undefined
  flags = unread
  dependents: Dependents<View> = undefined
  sources: readonly View[] = noViews
  /** The number of the last linking that saw this view; negative for that of the last garbage run. */
  linking = 0
  /** The position in the list that showed this view last. A hint that the list checks. */
  position = 0

  /** True if a recomputation would give the same value. */
  get isCurrent(): boolean {
    return this.flags === clean
  }

  /** True if the view's own input was written several times: it may have its earlier value and has to be compared. */
  get isWrittenAgain(): boolean {
    return (this.flags & writtenAgain) !== 0
  }

  /** True if the value is known to nobody yet, so that an equal one of before can take its place. */
  get isReplaceable(): boolean {
    return (this.flags & taken) === 0
  }

  /** Called once in a commit, after the view's own input was written. @returns true if the value shows it */
  showsInput(): boolean {
    return false
  }

  /** Creates the new value, which may still be empty, so that views in a cycle can refer to each other. */
  abstract begin(): Beginning

  /** Fills the value that `begin` created. @param previous - the value before it, which stays if it is equal */
  abstract finish(graph: ViewGraph, previous: unknown): void

  /** Called when the value of `source` was dropped. */
  noteDropped(_source: View): void {}
}

/** A value that is computed for a single read. It has no sources and no dependents. */
export class Once extends View {
  readonly #compute: () => unknown

  constructor(compute: () => unknown) {
    super()
    this.#compute = compute
  }

  override begin(): Beginning {
    return 'to finish last'
  }

  override finish(): void {
    this.value = this.#compute()
  }
}

/** The views of one store. */
export class ViewGraph {
  /** The number of computed values, for tests and benchmarks that count work. */
  computed = 0
  /** The views whose own input was written in the current commit. */
  #written: View[] = []
  /** A stack. Views at its bottom are finished after all others, when they can compare final values. */
  readonly #unfinished: Unfinished[] = []
  /** The values to finish late: when no other is unfinished. */
  readonly #late: Unfinished[] = []
  #isReading = false
  /** The views whose values are being filled, the innermost last. */
  readonly #filling: View[] = []
  /** Sources of the nested values in computation: a stack, so that each list of sources is copied with its final length. */
  readonly #collected: View[] = []
  /** The length of `#collected`. */
  #count = 0
  /** The index of the innermost value's first source; `notCollecting` if reads are no sources. */
  #from = notCollecting
  #linkings = 0

  /** True if no view has to be compared with what was written. */
  get isSettled(): boolean {
    return this.#written.length === 0
  }

  /** Returns a view's value, computed again if a source has changed. The view is no source of a value in computation. */
  read(view: View): unknown {
    this.settle()
    if (view.flags === clean) return view.value
    if (view.flags === failed && view.value !== undefined) throw view.value
    const count = this.#count
    const from = this.#from
    // Inside of a computation, for example in a Query's function.
    const isNested = this.#isReading
    const filling = this.#filling.length
    this.#isReading = true
    this.#from = notCollecting
    try {
      this.evaluate(view)
      if (this.#unfinished.length + this.#late.length > 0) this.finishPending()
      if (!isNested) {
        if (development) freezeDeep(view.value)
        else shareParts([view.value])
      }
      return view.value
    } catch (error) {
      // User code threw: what it leaves is not valid.
      const left = this.#filling.splice(filling)
      if (!isNested)
        for (const next of [...this.#late.splice(0), ...this.#unfinished.splice(0)]) left.push(next.view)
      for (const each of left) this.forget(each, failed)
      // All that was read up to there may mend it.
      if (!(view instanceof Once)) {
        this.#from = count
        this.endLinking(view, from)
      }
      throw error
    } finally {
      this.#isReading = isNested
      this.#from = from
      this.#count = count
      if (!isNested) this.#collected.length = 0
    }
  }

  /** Returns a view's value and makes the view a source of the value in computation. */
  readSource(view: View): unknown {
    if (this.#from !== notCollecting) this.#collected[this.#count++] = view
    if (view.flags !== clean) this.evaluate(view)
    return view.value
  }

  /** Gives a view that was never linked the value of another view, its only source. */
  follow(view: View, source: View): void {
    if (source.flags !== clean) this.evaluate(source)
    view.value = source.value
    view.sources = [source]
    source.dependents = source.dependents === undefined ? view : withDependent(source.dependents, view)
  }

  /** Computes the value of a view, which may still be empty. */
  evaluate(view: View): void {
    if (view.flags & unfinished) {
      view.flags |= taken
      return
    }
    if (view.flags & written) {
      this.settle()
      if (view.flags === clean) return
    }
    if (view.flags & failed) view.value = undefined
    const previous = view.value
    const beginning = view.begin()
    view.flags = clean
    if (beginning === 'complete') {
      if (view.value === previous) return
      this.computed++
      // A view without data must not retain its earlier sources.
      if (previous !== undefined && view.sources !== noViews) this.endLinking(view, this.beginLinking())
      return
    }
    this.computed++
    view.flags = unfinished
    if (beginning === 'to finish last') this.#unfinished.unshift({ view, previous })
    else if (beginning === 'to finish late') this.#late.push({ view, previous })
    // Finished at once while its record is in the processor's cache: a first read takes a third less time.
    else if (this.#isReading && this.#filling.length < deepestFilling) {
      // Here, too, in place of a function: a graph has so many levels of these calls as it is deep.
      this.#filling.push(view)
      view.finish(this, previous)
      this.#filling.pop()
      view.flags = clean
      return
    } else this.#unfinished.push({ view, previous })
    view.flags |= taken
  }

  /**
   * Called after a view's own input was written. `settle` compares it.
   *
   * @param isRestored - `true` if the input may be as before
   */
  markWritten(view: View, isRestored = false): void {
    // Nobody has seen a value.
    if (view.flags & unread) return
    const isAgain = (view.flags & written) !== 0
    view.flags |= isAgain || isRestored ? written | writtenAgain : written
    if (!isAgain) this.#written.push(view)
  }

  /** Called at the end of a commit, and before a read in it: drops the values that show something else than what was written. */
  settle(): void {
    if (this.#written.length === 0) return
    const views = this.#written
    this.#written = []
    for (const view of views) {
      if ((view.flags & (written | dropped)) !== written) continue
      if (!(view.flags & failed) && view.showsInput()) view.flags = clean
      else this.#drop(view)
    }
  }

  /** Drops the value of a view: a read computes it again. */
  drop(view: View): void {
    if (view.flags === clean || view.flags & failed) this.#drop(view)
  }

  /**
   * Starts to collect sources. Hot path, used for every record: two calls avoid a closure.
   *
   * @returns the argument for `endLinking`
   */
  beginLinking(): Linking {
    const outer = this.#from
    this.#from = this.#count
    return outer
  }

  /** Links the view to the sources that were read since `beginLinking`. A repeated source is linked once. */
  endLinking(view: View, outer: Linking): void {
    const begin = this.#from
    const collected = this.#count > begin ? this.#collected.slice(begin, this.#count) : noViews
    this.#count = begin
    this.#from = outer
    const { sources } = view
    // A first reading has none to compare.
    if (sources === noViews ? collected === noViews : isSameItems(sources, collected)) return
    const linked = (this.#linkings += 2)
    const staying = linked - 1
    if (sources !== noViews) {
      for (const source of collected) source.linking = staying
      for (const source of sources) {
        if (source.linking < staying) source.dependents = withoutDependent(source.dependents, view)
        source.linking = linked
      }
    }
    // By index: before it is compiled, `for...of` creates an object for each item.
    for (let index = 0; index < collected.length; index++) {
      const source = collected[index] as View
      if (source.linking === linked) continue
      source.linking = linked
      // Most have no other dependent: before it is compiled, a call costs more than this look.
      source.dependents = source.dependents === undefined ? view : withDependent(source.dependents, view)
    }
    view.sources = collected
  }

  /** Finishes all begun values, for a computation that reads into them. Does nothing unless values are being finished. */
  finishPending(): void {
    if (!this.#isReading) return
    // Late values may read each other without end.
    const late = this.#filling.length < deepestFilling ? this.#late : []
    for (;;) {
      const next = this.#unfinished.pop() ?? late.pop()
      if (next === undefined) return
      const { view, previous } = next
      this.#filling.push(view)
      view.finish(this, previous)
      this.#filling.pop()
      view.flags = clean
    }
  }

  /** Removes a view from the graph. It must not be read again. */
  unlink(view: View): void {
    for (const source of this.release(view)) source.dependents = withoutDependent(source.dependents, view)
  }

  /** The first half of `unlink`. @returns the sources, which still have the view as a dependent */
  release(view: View): readonly View[] {
    const { sources } = view
    view.sources = noViews
    view.flags = unread
    return sources
  }

  #drop(view: View): void {
    view.flags |= dropped
    this.#dropDependents(view)
  }

  /** Drops the values of all views above a view, up to those that are dropped already. */
  #dropDependents(view: View, flag = dropped): void {
    if (view.dependents === undefined) return
    const stack: View[] = []
    for (let next: View | undefined = view; next !== undefined; next = stack.pop()) {
      const { dependents }: View = next
      if (dependents === undefined) continue
      if (dependents instanceof View) dropDependent(dependents, next, stack, flag)
      else for (const dependent of dependents) dropDependent(dependent, next, stack, flag)
    }
  }

  /** Drops the value of a view and of its dependents: it is not valid, or user code threw an error. */
  forget(view: View, flags = unread): void {
    view.value = undefined
    view.flags = flags
    // What failed with it has to hear of the next change.
    this.#dropDependents(view, flags === failed ? failed : dropped)
  }
}

/** The index of the enclosing value's first source. */
export type Linking = number

const notCollecting = -1

/** Drops the value of `dependent`, because that of its `source` was dropped or failed. */
function dropDependent(dependent: View, source: View, stack: View[], flag: number): void {
  dependent.noteDropped(source)
  if (dependent.flags & (flag | dropped | unread | unfinished)) return
  dependent.flags |= flag
  if (flag === failed) dependent.value = undefined
  stack.push(dependent)
}

/** A view whose new value is still empty. */
interface Unfinished {
  readonly view: View
  readonly previous: unknown
}

/**
 * The views computed from one view. Most views have none or one, a shared record has many: so this is `undefined`, the
 * view itself, or an array. A removal from more than `arrayLimit` converts it to a Set, which removes without a search.
 * Not before, because an entry of a Set takes five times the memory.
 */
export type Dependents<V extends object> = undefined | V | V[] | Set<V>

const arrayLimit = 1000

/** True if there are so many that the removal of one takes long. */
export function isCrowded(dependents: Dependents<object>): boolean {
  return Array.isArray(dependents) && dependents.length > arrayLimit
}

/** @returns the dependents with `view` among them */
export function withDependent<V extends object>(dependents: Dependents<V>, view: V): Dependents<V> {
  if (dependents === undefined) return view
  if (Array.isArray(dependents)) dependents.push(view)
  else if (dependents instanceof Set) dependents.add(view)
  else return [dependents, view]
  return dependents
}

/** @returns the dependents without `view`, in the same order */
export function withoutDependent<V extends object>(dependents: Dependents<V>, view: V): Dependents<V> {
  if (dependents === undefined || dependents === view) return undefined
  if (dependents instanceof Set) {
    dependents.delete(view)
    return dependents.size === 0 ? undefined : dependents
  }
  if (!Array.isArray(dependents)) return dependents
  if (dependents.length > arrayLimit) return withoutDependent(new Set(dependents.filter(isLinked)), view)
  const index = dependents.indexOf(view)
  if (index === -1) return dependents
  dependents.splice(index, 1)
  return dependents.length === 0 ? undefined : dependents
}

/** Removes unlinked views from crowded dependents, one in each step. Others may join and leave between steps. */
export function* sweepDependents<V extends object>(source: {
  dependents: Dependents<V>
}): Generator<void, void> {
  const { dependents } = source
  if (!Array.isArray(dependents)) return
  let kept = 0
  for (let index = 0; index < dependents.length; index++) {
    const view = dependents[index] as V
    if (isLinked(view)) dependents[kept++] = view
    yield
    // One left, and all unlinked views with it.
    if (source.dependents !== dependents) return
  }
  dependents.length = kept
  if (kept === 0) source.dependents = undefined
}

/** False for a view that was removed from the graph. */
function isLinked(dependent: { readonly sources?: readonly object[] }): boolean {
  return dependent.sources?.length !== 0
}

/** The views computed from one view, as a list. */
export function viewsIn<V extends object>(dependents: Dependents<V>): readonly V[] {
  if (dependents === undefined) return []
  return dependents instanceof Set ? [...dependents] : Array.isArray(dependents) ? dependents : [dependents]
}
