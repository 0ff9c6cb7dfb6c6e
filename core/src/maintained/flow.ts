import { viewsIn } from '../store/view/dependents.js'
import type { View, ViewGraph } from '../store/view/view.js'

/** Shows the value of a member now: the view of a record, or a place in another list. */
export interface Slot {
  readonly value: unknown
  /** Takes back an earlier object with the same content, which readers see again. */
  adopt?(value: unknown): void
}

/** A member in one state. It never changes: when its record changes, it is replaced by another entry of its slot. */
export interface MemberState {
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

/** A list that tells what depends on it which of its members changed. */
export interface Flow extends View, Updated {
  /** False while nothing is known of it: then it has no data, which is not the same as being empty. */
  readonly isKnown: boolean
  /** The error of a function of the application; `undefined` if none threw. */
  readonly error?: unknown
  /** The entry of a member; `undefined` if it is none. */
  entryOf(slot: Slot): MemberState | undefined
  /** All entries, in order. */
  entries(): readonly MemberState[]
  /** Compares two entries, also earlier ones: a total order. */
  readonly compare: (a: MemberState, b: MemberState) => number
}

/** What is computed from a flow. */
export interface Consumer extends View, Updated {
  /** Called if a member may have changed. Without a slot all have. */
  noteChanged(slot?: Slot): void
}

/** Tells the consumers of a flow that a member changed, or all of them. */
export function tell(flow: Flow, slot?: Slot): void {
  const { dependents } = flow
  if (dependents === undefined) return
  for (const view of viewsIn(dependents)) (view as Partial<Consumer>).noteChanged?.(slot)
}

/**
 * The same for a flow that reads records. Its value is an object that says that nothing has changed since it was made: after an
 * optimistic update was taken back, records are the objects of before again, and a flow with another object is looked at anew.
 */
export function tellChange(flow: Flow, slot?: Slot): void {
  flow.value = { changed: Symbol() }
  tell(flow, slot)
}

/** The most objects that are remembered of a row or a group: those of before an optimistic update, and of taking it back. */
const mostRecalled = 3

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

/** Members that may have changed since they were last looked at; `undefined` if all have to be. */
export class Pending {
  #slots: Set<Slot> | undefined = undefined

  add(slot: Slot | undefined): void {
    if (slot === undefined) this.#slots = undefined
    else this.#slots?.add(slot)
  }

  /** The members; `undefined` for all. */
  get slots(): Iterable<Slot> | undefined {
    return this.#slots
  }

  /**
   * Looks at the members that may have changed. What leaves its place leaves it first, because the places of before and those of
   * now are not comparable.
   *
   * @param fill - looks at all members
   * @param leave - looks at one member, and takes it out @returns what to put in; `undefined` for nothing
   * @param enter - puts it in
   * @throws the error of a function. All members are pending then
   */
  take<Change>(
    fill: () => void,
    leave: (slot: Slot) => Change | undefined,
    enter: (change: Change) => void,
  ): void {
    const slots = this.#slots
    this.#slots = undefined
    if (slots === undefined) fill()
    else {
      const changes: Change[] = []
      for (const slot of slots) {
        const change = leave(slot)
        if (change !== undefined) changes.push(change)
      }
      for (const change of changes) enter(change)
    }
    this.#slots = new Set()
  }
}
