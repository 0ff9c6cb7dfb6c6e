import { viewsIn } from '../store/view/view.js'
import type { View, ViewGraph } from '../store/view/view.js'
import type { Shaped } from './noted-reads.js'

/** Shows the value of a member now: the view of a record, or a place in another list. */
export interface Slot {
  readonly value: unknown
  /** Takes back an earlier object with the same content, which readers see again. */
  adopt?(value: unknown): void
}

/** A member in one state. It never changes: when its record changes, it is replaced by another entry of its slot. */
export interface MemberState extends Shaped {
  readonly slot: Slot
  readonly value: unknown
  /** The place in the source. */
  readonly rank: number
}

/**
 * A view that is brought up to date by what reads it. What a view reads may begin to read the view: so it reads all that it needs
 * first, may be called again meanwhile, and then changes itself without reading anything.
 */
export interface Updated {
  /** Brings the view up to date, if it is not. */
  update(graph: ViewGraph): void
}

/** A change of a member. */
export interface MemberChange {
  readonly slot: Slot
  /** Its state when it was last looked at; `undefined` if it was no member. */
  readonly before: MemberState | undefined
  /** Its state now; `undefined` if it is no member. */
  readonly after: MemberState | undefined
}

/** A list that tells what depends on it which of its members changed. */
export interface Flow extends View, Updated {
  /** False while nothing is known of it: then it has no data, which is not the same as being empty. */
  readonly isKnown: boolean
  /** The error of a function of the application; `undefined` if none threw. */
  readonly error?: unknown
  /** All entries, in order. */
  entries(): readonly MemberState[]
  /** Compares two entries, also earlier ones: a total order. */
  readonly compare: (a: MemberState, b: MemberState) => number
}

/** What is computed from a flow. */
export interface Consumer extends View, Updated {
  /** Called when a member has changed. Without a change all may have. */
  noteChanged(change?: MemberChange): void
}

/** Tells the consumers of a flow that a member changed, or all of them. */
export function tell(flow: Flow, change?: MemberChange): void {
  const { dependents } = flow
  if (dependents === undefined) return
  for (const view of viewsIn(dependents)) (view as Partial<Consumer>).noteChanged?.(change)
}

/**
 * The same for a flow that reads records. Its value is an object that says that nothing has changed since it was made: after an
 * optimistic update was taken back, records are the objects of before again, and a flow with another object is looked at anew.
 */
export function tellChange(flow: Flow, change?: MemberChange): void {
  flow.value = { changed: Symbol() }
  tell(flow, change)
}

/** The most objects that are remembered of a row or a window: those of before optimistic updates, and of taking them back. */
const mostRecalled = 8

/** Returns an object that was shown lately and is the same as another one; else that one. The latest is the first. */
export function recall<Shown extends object>(
  shown: readonly Shown[],
  next: Shown,
  isSame: (a: Shown, b: Shown) => boolean,
): readonly Shown[] {
  const found = shown.find((earlier) => isSame(earlier, next)) ?? next
  if (found === shown[0]) return shown
  return [found, ...shown.filter((earlier) => earlier !== found)].slice(0, mostRecalled)
}

/** With more changes than this, all members are looked at anew: a view that nobody reads must not collect them without end. */
const mostChanges = 4096

/**
 * The changes of members since they were last looked at; `undefined` if all members have to be. What looks at them needs no notes
 * of its own about each member.
 */
export class Pending {
  #changes: Map<Slot, MemberChange> | undefined = undefined

  add(change: MemberChange | undefined): void {
    const changes = this.#changes
    if (changes === undefined) return
    if (change === undefined || changes.size === mostChanges) {
      this.#changes = undefined
      return
    }
    const { slot, after } = change
    const earlier = changes.get(slot)
    changes.set(slot, earlier === undefined ? change : { slot, before: earlier.before, after })
  }

  /** The changes; `undefined` if all members have to be looked at. */
  get changes(): Iterable<MemberChange> | undefined {
    return this.#changes?.values()
  }

  /**
   * Looks at the members that changed. What leaves its place leaves it first, because the places of before and those of now are
   * not comparable.
   *
   * @param fill - looks at all members
   * @param leave - takes a member out of its place @returns what to put in; `undefined` for nothing
   * @param enter - puts it in
   * @throws the error of a function. All members are pending then
   */
  take<Entering>(
    fill: () => void,
    leave: (change: MemberChange) => Entering | undefined,
    enter: (entering: Entering) => void,
  ): void {
    const changes = this.#changes
    this.#changes = undefined
    if (changes === undefined) fill()
    else {
      const entering: Entering[] = []
      for (const change of changes.values()) {
        const next = leave(change)
        if (next !== undefined) entering.push(next)
      }
      for (const next of entering) enter(next)
    }
    this.#changes = new Map()
  }
}
