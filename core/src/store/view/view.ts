import { withDependent, withoutDependent } from './dependents.js'
import type { Dependents } from './dependents.js'

/** What is known about a view's value, as bits that add up; 0 when the value is what a recomputation would give. */
const clean = 0
/** Something that the view shows may have changed. */
const marked = 1
/** The view's own input was written since the value was computed. */
const written = 2
/** The own input was written more than once, so that it may be back to what it was. */
const writtenAgain = 4
/** A view that this one shows did change. */
const sourceChanged = 8
/** There is no value yet. */
const unread = 16
/** Taken into the decision that is being made. */
const gathered = 32
/** Has its new value, in the decision that is being made. */
const begun = 64

/** Shared by all views that have no sources. */
const none: readonly View[] = Object.freeze([])

/** Values nested deeper than this wait until those above them are finished, so that no graph exhausts the stack. */
const deepestFinishing = 50

/**
 * What `begin` found out. `to link`: the value stands, though it is computed from other views than before. `to finish
 * last`: nothing but readers depends on the view, so that it is finished when all others are.
 */
export type Beginning = 'unchanged' | 'to link' | 'complete' | 'to finish' | 'to finish last'

/**
 * A memoized read. Views form a graph, from records upward to results: each is linked to what it was computed
 * from when it is computed. A write marks upward; a read then finds out which of the marked views show something
 * that changed, renews those, and leaves all others as they are (specification G1, G2, C).
 */
export abstract class View {
  /** The value that was last computed. Read it through `ViewGraph.read`. */
  value: unknown = undefined
  flags = unread
  dependents: Dependents<View> = undefined
  sources: readonly View[] = none
  /** The linking in which this view was last seen. */
  linking = 0
  /** Where this view stands in the list that showed it last. A hint: the list checks it. */
  position = 0

  /** Whether the value is what a recomputation would give. */
  get isCurrent(): boolean {
    return this.flags === clean
  }

  /** Whether the view's own input was written several times, so that it has to be compared. */
  get isWrittenAgain(): boolean {
    return (this.flags & (writtenAgain | sourceChanged | unread)) === writtenAgain
  }

  /** Whether nothing but the view's own input may differ. */
  get isOnlyWritten(): boolean {
    return (this.flags & (written | sourceChanged | unread)) === written
  }

  /**
   * Puts a new value in place, which may still be empty, so that views in a cycle can show each other.
   *
   * @returns `unchanged` when the old value stands, and nobody needs to be told
   */
  abstract begin(): Beginning

  /** Fills what `begin` put in place. `previous` is the value before it. */
  abstract finish(graph: ViewGraph, previous: unknown): void

  /** Something that `source` shows may have changed. */
  noteMarked(_source: View): void {}

  /** The value counts as it is: whatever was marked is dealt with. */
  noteClean(): void {}

  /** The sources that have to be asked whether they changed. */
  get uncertainSources(): readonly View[] {
    return this.sources
  }
}

/** A value that is computed for one reading. Depends on nothing, and nothing on it. */
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
  /** How many values were computed, for tests and benchmarks that count work. */
  computed = 0
  #unfinished: Unfinished[] = []
  /** Finished when all others are, so that they find out whether anything differs. */
  #unfinishedLast: Unfinished[] = []
  #isFinishing = false
  #finishingDeep = 0
  /** Sources of the values that are being computed, one in the other: a stack, so that each is copied at its length. */
  readonly #collected: View[] = []
  /** How many of them there are. */
  #count = 0
  /** Where those of the innermost value begin; `notCollecting` when what is read is no source of anything. */
  #from = notCollecting
  #linkings = 0

  /** A view's value, recomputed where something that it shows has changed. */
  read(view: View): unknown {
    if (view.flags !== clean) {
      if (view.flags === unread && view.dependents === undefined) this.#readFirst(view)
      else this.#decide(view)
      if (this.#isFinishing) this.#finishNested(view)
      else this.#finishAll()
    }
    return view.value
  }

  /** A view's value for the value that is being computed, which depends on it from now on. */
  readSource(view: View): unknown {
    if (this.#from !== notCollecting) this.#collected[this.#count++] = view
    if (view.flags === unread && view.dependents === undefined) this.#readFirst(view)
    else if (view.flags !== clean) this.#decide(view)
    return view.value
  }

  /** A view's own input was written: marks it and all that show it, and stops at what is marked already. */
  markWritten(view: View): void {
    const wasClean = view.flags === clean
    view.flags |= view.flags & written ? writtenAgain : written
    if (wasClean) this.#markDependents(view)
  }

  /**
   * Computes a value whose sources are linked to the view, instead of what the view was linked to before.
   */
  link<Value>(view: View, compute: () => Value): Value {
    const outer = this.beginLinking()
    const value = compute()
    this.endLinking(view, outer)
    return value
  }

  /**
   * From here on, what is read is collected. In two calls instead of one that takes a function, because every
   * record goes this way.
   *
   * @returns what `endLinking` takes
   */
  beginLinking(): Linking {
    const outer = this.#from
    this.#from = this.#count
    return outer
  }

  /** What was read since `beginLinking` are the view's sources. */
  endLinking(view: View, outer: Linking): void {
    const begin = this.#from
    if (view.sources === none) {
      if (this.#count > begin) this.#addSources(view, this.#collected.slice(begin, this.#count))
    } else if (!this.#isLinkedTo(view.sources, begin))
      this.#replaceSources(view, this.#collected.slice(begin, this.#count))
    this.#count = begin
    this.#from = outer
  }

  /** Computes a part of a value whose sources come after those that the view has. */
  linkMore<Value>(view: View, compute: () => Value): Value {
    const { sources } = view
    return this.link(view, () => {
      for (const source of sources) this.#collected[this.#count++] = source
      return compute()
    })
  }

  /** Finishes what is begun, for a value that looks into others. Waits where nothing is being finished. */
  finishPending(): void {
    if (!this.#isFinishing) return
    for (let next = this.#unfinished.pop(); next !== undefined; next = this.#unfinished.pop()) {
      this.#finish(next.view, next.previous)
    }
  }

  /** Takes a view out of the graph. It must not be read again. */
  unlink(view: View): void {
    for (const source of this.release(view)) source.dependents = withoutDependent(source.dependents, view)
  }

  /** Does half of what `unlink` does. @returns the sources, of which the view is still a dependent */
  release(view: View): readonly View[] {
    const { sources } = view
    view.sources = none
    view.flags = unread
    return sources
  }

  /** What shows nothing any more does not hold what it showed. */
  detachIfEmpty(view: View): void {
    if (view.value !== undefined || view.sources.length === 0) return
    const { flags } = view
    this.unlink(view)
    view.flags = flags
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
   * Finds out which marked views below and including `root` show something that changed. Those get a new value;
   * the others keep theirs. Works through cycles, because change travels from what was written and not from
   * what could be compared.
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
        if (hasBegun) this.#forget(view)
      }
      this.#unfinished = this.#unfinished.filter(({ view }) => view.flags === clean)
      this.#unfinishedLast = this.#unfinishedLast.filter(({ view }) => view.flags === clean)
      throw error
    }
    for (const view of views) {
      if (!(view.flags & begun)) view.noteClean()
      view.flags = clean
    }
  }

  /** A view that nothing depends on yet, and that has no value: the common case while a response is read. */
  #readFirst(view: View): void {
    const beginning = view.begin()
    view.flags = clean
    if (beginning === 'unchanged') return
    this.computed++
    if (beginning === 'complete') return
    if (beginning === 'to finish last') this.#unfinishedLast.push({ view, previous: undefined })
    // Finished at once while its record is at hand in the processor's cache: a first read takes a third less.
    else if (this.#isFinishing && this.#finishingDeep < deepestFinishing) this.#finish(view, undefined)
    else this.#unfinished.push({ view, previous: undefined })
  }

  #finish(view: View, previous: unknown): void {
    this.#finishingDeep++
    try {
      view.finish(this, previous)
    } catch (error) {
      this.#forget(view)
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
      // One that was compared by its own input alone begins anew when a source is found to have changed.
      if (beginning === 'to link') linking.push(view)
      else if (beginning !== 'unchanged' || view.flags & sourceChanged) view.flags |= begun
      if (beginning === 'unchanged' || beginning === 'to link') continue
      this.computed++
      if (beginning === 'to finish') this.#unfinished.push({ view, previous })
      else if (beginning === 'to finish last') this.#unfinishedLast.push({ view, previous })
      const { dependents } = view
      if (dependents === undefined) continue
      if (dependents instanceof View) noteSourceChanged(dependents, changed)
      else for (const dependent of dependents) noteSourceChanged(dependent, changed)
    }
    for (const view of linking) {
      if (!(view.flags & begun)) this.#unfinished.push({ view, previous: view.value })
    }
  }

  #finishAll(): void {
    this.#isFinishing = true
    try {
      let next: Unfinished | undefined
      while ((next = this.#unfinished.pop() ?? this.#unfinishedLast.pop()) !== undefined) {
        this.#finish(next.view, next.previous)
      }
    } catch (error) {
      for (const { view } of [...this.#unfinished.splice(0), ...this.#unfinishedLast.splice(0)])
        this.#forget(view)
      throw error
    } finally {
      this.#isFinishing = false
      this.#finishingDeep = 0
      this.#from = notCollecting
      this.#count = 0
      this.#collected.length = 0
    }
  }

  /** A read from inside of a value that is being computed, as a Query's own function may make: no source of it. */
  #finishNested(view: View): void {
    const outer = this.#from
    const count = this.#count
    this.#from = notCollecting
    try {
      this.finishPending()
      const index = this.#unfinishedLast.findIndex((unfinished) => unfinished.view === view)
      const [own] = index === -1 ? [] : this.#unfinishedLast.splice(index, 1)
      if (own !== undefined) this.#finish(own.view, own.previous)
    } finally {
      this.#from = outer
      this.#count = count
    }
  }

  /** After an error in user code a view has no value, and neither has what shows it. */
  #forget(view: View): void {
    view.value = undefined
    view.flags = unread
    const { dependents } = view
    const showing = dependents === undefined ? [] : dependents instanceof View ? [dependents] : dependents
    for (const dependent of showing) {
      const wasClean = dependent.flags === clean
      dependent.flags |= sourceChanged
      if (wasClean) this.#markDependents(dependent)
    }
    this.#markDependents(view)
  }

  /** Whether what was collected from `begin` on is what a view is linked to already. */
  #isLinkedTo(sources: readonly View[], begin: number): boolean {
    if (sources.length !== this.#count - begin) return false
    for (let index = 0; index < sources.length; index++) {
      if (sources[index] !== this.#collected[begin + index]) return false
    }
    return true
  }

  #replaceSources(view: View, collected: readonly View[]): void {
    const { sources } = view
    const isStaying = ++this.#linkings
    for (const source of collected) source.linking = isStaying
    const isLinked = ++this.#linkings
    for (const source of sources) {
      if (source.linking < isStaying) source.dependents = withoutDependent(source.dependents, view)
      source.linking = isLinked
    }
    for (const source of collected) {
      if (source.linking === isLinked) continue
      source.linking = isLinked
      source.dependents = withDependent(source.dependents, view)
    }
    view.sources = collected
  }

  /** For a view that had none: one that stands several times among them is linked once. */
  #addSources(view: View, collected: readonly View[]): void {
    const isLinked = ++this.#linkings
    // By index: before it is compiled, `for...of` makes an object for each.
    for (let index = 0; index < collected.length; index++) {
      const source = collected[index] as View
      if (source.linking === isLinked) continue
      source.linking = isLinked
      source.dependents = withDependent(source.dependents, view)
    }
    view.sources = collected
  }
}

/** Where the sources of the value around the one that is computed begin. */
export type Linking = number

const notCollecting = -1

/** `source`, which `dependent` shows, may have changed. */
function mark(dependent: View, source: View, stack: View[]): void {
  dependent.noteMarked(source)
  if (dependent.flags !== clean) return
  dependent.flags = marked
  stack.push(dependent)
}

/** A source of `dependent` did change. */
function noteSourceChanged(dependent: View, changed: View[]): void {
  if (dependent.flags & begun) return
  dependent.flags |= sourceChanged
  if (dependent.flags & gathered) changed.push(dependent)
}

/** A view whose new value is in place, but empty. */
interface Unfinished {
  readonly view: View
  readonly previous: unknown
}

/** All marked views from which a view's value follows, itself first. */
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
