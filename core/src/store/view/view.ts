import { isSameItems } from '../../util/plain.js'

/** The state of a view's value as bit flags; 0 if a recomputation would give the same value. */
export const clean = 0
/** A source of the view may have changed. */
const marked = 1
/** The view's own input was written since the value was computed. */
export const written = 2
/** The view's own input was written more than once, so it may have its earlier value again. */
const writtenAgain = 4
/** A source of the view has changed. */
const sourceChanged = 8
/** There is no value yet, or the view was removed. */
export const unread = 16
/** Included in the current decision. */
const gathered = 32
/** Has its new value in the current decision. */
const begun = 64

/** Shared by all views that have no sources. */
const none: readonly View[] = Object.freeze([])

/** Values nested deeper than this are queued until those above them are finished, so that no graph overflows the stack. */
const deepestFinishing = 50

/**
 * The outcome of `begin`. `to link`: the value stays, but has other sources than before. `to finish late`: the value has
 * its plain fields and is finished after the lists that a Query in it may read. `to finish last`: only readers depend on
 * the view, so it is finished after all others.
 */
export type Beginning =
  'unchanged' | 'to link' | 'complete' | 'to finish' | 'to finish late' | 'to finish last'

/**
 * A memoized read. Views form a graph from records up to results: a computation links a view to its sources. A write
 * marks upward; a read then decides which of the marked views have changed sources, recomputes those, and keeps all
 * others (specification G1, G2, Costs).
 */
export abstract class View {
  /** The last computed value. Read it through `ViewGraph.read`. */
  value: unknown = undefined
  flags = unread
  dependents: Dependents<View> = undefined
  sources: readonly View[] = none
  /** The number of the last linking that saw this view; negative for that of the last garbage run. */
  linking = 0
  /** The position in the list that showed this view last. A hint that the list checks. */
  position = 0

  /** True if a recomputation would give the same value. */
  get isCurrent(): boolean {
    return this.flags === clean
  }

  /** True if only the view's own input was written, several times: it may have its earlier value and has to be compared. */
  get isWrittenAgain(): boolean {
    return (this.flags & (writtenAgain | sourceChanged | unread)) === writtenAgain
  }

  /** True if only the view's own input may differ. */
  get isOnlyWritten(): boolean {
    return (this.flags & (written | sourceChanged | unread)) === written
  }

  /**
   * Creates the new value, which may still be empty, so that views in a cycle can refer to each other.
   *
   * @returns `unchanged` if the old value stays, and dependents need no update
   */
  abstract begin(): Beginning

  /** Fills the value that `begin` created. @param previous - the value before it */
  abstract finish(graph: ViewGraph, previous: unknown): void

  /** Called if `source` may have changed. */
  noteMarked(_source: View): void {}

  /** Called if the value stays: the marked sources have not changed. */
  noteClean(): void {}

  /** The sources that may have changed. */
  get uncertainSources(): readonly View[] {
    return this.sources
  }
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
  /** A stack. Views at its bottom are finished after all others, when they can compare final values. */
  #unfinished: Unfinished[] = []
  /** The values to finish late: when no other is unfinished. */
  #late: Unfinished[] = []
  #isFinishing = false
  #finishingDeep = 0
  /** Sources of the nested values in computation: a stack, so that each list of sources is copied with its final length. */
  readonly #collected: View[] = []
  /** The length of `#collected`. */
  #count = 0
  /** The index of the innermost value's first source; `notCollecting` if reads are no sources. */
  #from = notCollecting
  #linkings = 0

  /** Returns a view's value, recomputed if a source has changed. The view is no source of a value in computation. */
  read(view: View): unknown {
    if (view.flags !== clean) this.#readApart(view)
    return view.value
  }

  /** Returns a view's value and makes the view a source of the value in computation. */
  readSource(view: View): unknown {
    if (this.#from !== notCollecting) this.#collected[this.#count++] = view
    if (view.flags !== clean) this.#evaluate(view)
    return view.value
  }

  /** Gives a view that was never linked the value of another view, its only source. */
  follow(view: View, source: View): void {
    if (source.flags !== clean) this.#evaluate(source)
    view.value = source.value
    view.sources = [source]
    source.dependents = source.dependents === undefined ? view : withDependent(source.dependents, view)
  }

  #evaluate(view: View): void {
    if (view.flags !== unread || view.dependents !== undefined) return this.#decide(view)
    // Without dependents and value: the common case of the first read of a response.
    const beginning = view.begin()
    view.flags = clean
    if (beginning === 'unchanged') return
    this.computed++
    if (beginning === 'complete') return
    if (beginning === 'to finish last') this.#unfinished.unshift({ view, previous: undefined })
    else if (beginning === 'to finish late') this.#late.push({ view, previous: undefined })
    // Finished at once while its record is in the processor's cache: a first read takes a third less time.
    else if (this.#isFinishing && this.#finishingDeep < deepestFinishing) this.#finish(view, undefined)
    else this.#unfinished.push({ view, previous: undefined })
  }

  /** Called after a view's own input was written: marks the view and its dependents, up to those that are marked already. */
  markWritten(view: View): void {
    const wasClean = view.flags === clean
    view.flags |= view.flags & written ? writtenAgain : written
    if (wasClean) this.#markDependents(view)
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
    const collected = this.#count > begin ? this.#collected.slice(begin, this.#count) : none
    this.#count = begin
    this.#from = outer
    const { sources } = view
    // A first reading has none to compare.
    if (sources === none ? collected === none : isSameItems(sources, collected)) return
    const linked = (this.#linkings += 2)
    const staying = linked - 1
    if (sources !== none) {
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
    if (!this.#isFinishing) return
    // Late values may read each other without end.
    const late = this.#finishingDeep < deepestFinishing ? this.#late : []
    for (;;) {
      const next = this.#unfinished.pop() ?? late.pop()
      if (next === undefined) return
      this.#finish(next.view, next.previous)
    }
  }

  #takeUnfinished(): Unfinished[] {
    return [...this.#late.splice(0), ...this.#unfinished.splice(0)]
  }

  /** Removes a view from the graph. It must not be read again. */
  unlink(view: View): void {
    for (const source of this.release(view)) source.dependents = withoutDependent(source.dependents, view)
  }

  /** The first half of `unlink`. @returns the sources, which still have the view as a dependent */
  release(view: View): readonly View[] {
    const { sources } = view
    view.sources = none
    view.flags = unread
    return sources
  }

  #markDependents(view: View): void {
    if (view.dependents === undefined) return
    const stack: View[] = []
    for (let next: View | undefined = view; next !== undefined; next = stack.pop()) {
      const { dependents }: View = next
      if (dependents === undefined) continue
      if (dependents instanceof View) mark(dependents, next, stack)
      else for (const dependent of dependents) mark(dependent, next, stack)
    }
  }

  /**
   * Decides which marked views below and including `root` have changed sources. Those get a new value; the others keep
   * theirs. Works in cycles, because changes propagate from the written views and not by comparison.
   */
  #decide(root: View): void {
    if (root.flags & gathered) return
    const views = gather(root)
    try {
      this.#beginAll(views)
    } catch (error) {
      for (const view of views) {
        const hasBegun = view.flags & begun
        view.flags &= ~(gathered | begun)
        if (hasBegun) this.forget(view)
      }
      this.#unfinished = this.#takeUnfinished().filter(({ view }) => view.flags === clean)
      throw error
    }
    for (const view of views) {
      if (!(view.flags & begun)) view.noteClean()
      view.flags = clean
    }
  }

  #finish(view: View, previous: unknown): void {
    this.#finishingDeep++
    try {
      view.finish(this, previous)
    } catch (error) {
      this.forget(view)
      throw error
    } finally {
      this.#finishingDeep--
    }
  }

  #beginAll(views: readonly View[]): void {
    const changed: View[] = []
    const linking: View[] = []
    for (const view of views) if (view.flags & (written | sourceChanged | unread)) changed.push(view)
    for (const view of changed) {
      if (view.flags & begun) continue
      const previous = view.value
      const beginning = view.begin()
      // A view that compared only its own input begins again if a source turns out to have changed.
      if (beginning === 'to link') linking.push(view)
      else if (beginning !== 'unchanged' || view.flags & sourceChanged) view.flags |= begun
      if (beginning === 'unchanged' || beginning === 'to link') continue
      this.computed++
      if (beginning === 'to finish') this.#unfinished.push({ view, previous })
      else if (beginning === 'to finish late') this.#late.push({ view, previous })
      else if (beginning === 'to finish last') this.#unfinished.unshift({ view, previous })
      // A view without data must not retain its earlier sources.
      else if (view.sources !== none) this.endLinking(view, this.beginLinking())
      for (const dependent of viewsIn(view.dependents)) {
        if (dependent.flags & begun) continue
        dependent.flags |= sourceChanged
        if (dependent.flags & gathered) changed.push(dependent)
      }
    }
    for (const view of linking) {
      if (!(view.flags & begun)) this.#unfinished.push({ view, previous: view.value })
    }
  }

  #readApart(view: View): void {
    const count = this.#count
    const from = this.#from
    // Inside of a computation, for example in a Query's function.
    const isNested = this.#isFinishing
    this.#isFinishing = true
    this.#from = notCollecting
    try {
      this.#evaluate(view)
      if (this.#unfinished.length + this.#late.length > 0) this.finishPending()
    } catch (error) {
      if (!isNested) for (const left of this.#takeUnfinished()) this.forget(left.view)
      throw error
    } finally {
      this.#isFinishing = isNested
      this.#from = from
      this.#count = count
      if (!isNested) this.#collected.length = 0
    }
  }

  /** Drops the value of a view and of its dependents: it is not valid, or user code threw an error. */
  forget(view: View): void {
    view.value = undefined
    view.flags = unread
    this.#markDependents(view)
    for (const dependent of viewsIn(view.dependents)) dependent.flags |= sourceChanged
  }
}

/** The index of the enclosing value's first source. */
export type Linking = number

const notCollecting = -1

/** Marks `dependent`, because its `source` may have changed. */
function mark(dependent: View, source: View, stack: View[]): void {
  dependent.noteMarked(source)
  if (dependent.flags !== clean) return
  dependent.flags = marked
  stack.push(dependent)
}

/** A view whose new value is still empty. */
interface Unfinished {
  readonly view: View
  readonly previous: unknown
}

/** All marked views that a view depends on, itself first. */
function gather(root: View): View[] {
  root.flags |= gathered
  const views = [root]
  for (const view of views) {
    for (const source of view.uncertainSources) {
      if (source.flags === clean || source.flags & gathered) continue
      source.flags |= gathered
      views.push(source)
    }
  }
  return views
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
