import { withDependent, withoutDependent, View, clean, valueless } from '../store/view/view.js'
import type { ListView } from '../store/view/list-view.js'
import type { Beginning, ViewGraph } from '../store/view/view.js'
import { isSameList } from '../util/plain.js'
import { Pending, recall, tellChange } from './flow.js'
import type { Consumer, Flow, MemberChange, MemberState, Slot } from './flow.js'
import { shareData } from '../util/shared-data.js'
import { pkOf } from './steps.js'

type Row = readonly unknown[]

/** A row, made when it is read: a member, and the records that name it. */
class RowSlot implements Slot {
  readonly of: Slot
  readonly related: ListView
  #shown: readonly Row[] = []

  constructor(of: Slot, related: ListView) {
    this.of = of
    this.related = related
  }

  get value(): Row {
    const { value } = this.of
    const row = [...(Array.isArray(value) ? (value as Row) : [value]), this.related.value ?? noRow]
    if (!isSameList(row, this.#shown[0])) this.#shown = recall(this.#shown, shareData(row), isSameList)
    return this.#shown[0] as Row
  }

  adopt(row: unknown): void {
    if (row !== this.value && isSameList(row, this.value)) this.#shown = [row as Row, ...this.#shown.slice(1)]
  }
}

const noRow: Row = shareData([])

/** The most rows that are remembered after they went. */
const mostGoneRows = 8

interface RowEntry extends MemberState {
  readonly slot: RowSlot
  readonly of: MemberState
}

/** The members of a flow, each with the records of a class that name it in a field. */
export class RowsView extends View implements Flow, Consumer {
  readonly #flow: Flow
  readonly #listOf: (pk: string) => ListView
  #rows = new Map<Slot, RowEntry>()
  #slots = new Map<View, Set<RowSlot>>()
  #entries = new Map<Slot, RowEntry>()
  readonly #pending = new Pending()
  /** The rows that went last, by their members: they come back when an optimistic update is taken back. */
  readonly #gone = new Map<Slot, RowSlot>()
  #linked: View[] = []
  readonly #changed = new Set<View>()
  #isDue = true
  error: unknown = undefined

  /** @param listOf - returns the list of the records that name a member by its primary key */
  constructor(flow: Flow, listOf: (pk: string) => ListView) {
    super()
    this.#flow = flow
    this.#listOf = listOf
  }

  get isKnown(): boolean {
    return this.#flow.isKnown
  }

  readonly compare = (a: MemberState, b: MemberState): number =>
    this.#flow.compare((a as RowEntry).of, (b as RowEntry).of)

  entries(): readonly MemberState[] {
    return this.#flow.entries().map(({ slot }) => this.#rows.get(slot) as RowEntry)
  }

  noteChanged(change?: MemberChange): void {
    this.#pending.add(change)
  }

  override noteDropped(source: View): void {
    if (source !== this.#flow) this.#changed.add(source)
  }

  override begin(): Beginning {
    this.#isDue = true
    // Records may be other objects without a change: those from before an optimistic update.
    if (this.flags & valueless) for (const list of this.#slots.keys()) this.#changed.add(list)
    return 'to finish last'
  }

  override finish(graph: ViewGraph): void {
    this.update(graph)
  }

  update(graph: ViewGraph): void {
    if (!this.#isDue) return
    // A view is linked after it was read, so that its first value is no change.
    graph.read(this.#flow)
    this.#flow.update(graph)
    if (this.sources !== this.#linked) {
      this.sources = this.#linked = []
      this.#slots.clear()
      this.#changed.clear()
      this.#link(this.#flow)
      this.#pending.add(undefined)
    }
    for (const { value } of this.#toRead()) graph.read(this.#listOf(pkIn(value)))
    for (const list of this.#changed) graph.read(list)
    if (!this.#isDue) return
    this.#isDue = false
    this.error = this.#flow.error
    if (this.error !== undefined) return
    this.#pending.take(
      () => this.#fill(),
      (change) => this.#update(change),
      () => {},
    )
    for (const list of this.#changed) {
      for (const slot of this.#slots.get(list) ?? []) this.#renew(slot)
    }
    this.#changed.clear()
    this.#dropGone()
    // What was read here is no change of it.
    this.flags = clean
  }

  /** The members whose related records have to be known. */
  *#toRead(): Generator<MemberState> {
    const { changes } = this.#pending
    if (changes === undefined) return yield* this.#flow.entries()
    for (const { after } of changes) if (after !== undefined) yield after
  }

  #fill(): void {
    const rows = this.#rows
    for (const slots of this.#slots.values()) slots.clear()
    this.#rows = new Map()
    this.#entries = new Map()
    for (const entry of this.#flow.entries()) this.#add(entry, rows.get(entry.slot)?.slot)
    tellChange(this)
  }

  #update({ slot, after: entry }: MemberChange): undefined {
    const before = this.#rows.get(slot)
    if (entry === before?.of) return undefined
    if (before !== undefined && (entry === undefined || pkIn(entry.value) !== pkIn(before.of.value))) {
      this.#rows.delete(slot)
      this.#entries.delete(before.slot)
      this.#slots.get(before.slot.related)?.delete(before.slot)
      this.#noteGone(before.slot)
      tellChange(this, { slot: before.slot, before, after: undefined })
    }
    if (entry === undefined) return undefined
    const staying = this.#rows.get(slot)
    const after = this.#add(entry, staying?.slot ?? this.#gone.get(slot))
    tellChange(this, { slot: after.slot, before: staying, after })
    return undefined
  }

  #add(of: MemberState, known: RowSlot | undefined): RowEntry {
    const related = this.#listOf(pkIn(of.value))
    const slot = known?.related === related ? known : new RowSlot(of.slot, related)
    const slots = this.#slots.get(related)
    if (slots === undefined) {
      this.#slots.set(related, new Set([slot]))
      this.#link(related)
    } else slots.add(slot)
    const entry: RowEntry = { slot, value: slot.value, rank: of.rank, shape: undefined, of }
    this.#rows.set(of.slot, entry)
    this.#entries.set(slot, entry)
    return entry
  }

  #noteGone(slot: RowSlot): void {
    this.#gone.delete(slot.of)
    this.#gone.set(slot.of, slot)
    for (const first of this.#gone.keys()) if (this.#gone.size > mostGoneRows) this.#gone.delete(first)
  }

  /** After the related records of a row changed. */
  #renew(slot: RowSlot): void {
    const before = this.#entries.get(slot)
    const { value } = slot
    if (before === undefined || before.value === value) return
    const after = { ...before, value }
    this.#rows.set(slot.of, after)
    this.#entries.set(slot, after)
    tellChange(this, { slot, before, after })
  }

  #link(view: View): void {
    view.dependents = withDependent(view.dependents, this as View)
    this.#linked.push(view)
  }

  /** Unlinks the lists of rows that are gone, once they are more than the others. */
  #dropGone(): void {
    if (this.#linked.length < 2 * this.#rows.size + 64) return
    const isNeeded = (view: View) => view === this.#flow || (this.#slots.get(view)?.size ?? 0) > 0
    const gone = this.#linked.filter((view) => !isNeeded(view))
    this.sources = this.#linked = this.#linked.filter(isNeeded)
    for (const view of gone) {
      view.dependents = withoutDependent(view.dependents, this as View)
      this.#slots.delete(view)
    }
  }
}

/** The primary key of the first record of a row, or of a record. */
function pkIn(value: unknown): string {
  const record = Array.isArray(value) ? (value as Row)[0] : value
  return (typeof record === 'object' && record !== null ? pkOf(record) : undefined) ?? String(record)
}
