import type { Fields } from '../schema/fields.js'
import type { Schema } from '../schema/schema.js'
import { isSamePlain } from '../util/plain.js'
import type { RecordNode } from './records.js'
import type { Stamp, WriteOrder } from './stamp.js'

/** The write of a field by a mutation that succeeded, or by `set`. */
interface OwnWrite {
  /** The start of the latest mutation that wrote the field. */
  readonly start: number
  /** When that write settled: requests that started before may not have seen it. */
  readonly settle: number
  /** `false` for a `set`. */
  readonly isConfirmed: boolean
  /** The start of the latest mutation that was confirmed, also if a `set` wrote the field since; 0 for none. */
  readonly confirmed: number
  /** The value after it. */
  readonly value: unknown
}

/** The fields of a record that were replaced by a write. */
interface Past {
  /** `undefined` if the record was deleted. */
  readonly fields: Fields | undefined
  /** The position of that write. */
  readonly until: number
}

/** A mutation that may have written a record, and whose response did not tell the values. */
export interface Untold {
  /** The fields of its body. */
  readonly names: readonly string[]
  readonly settle: number
  /** `true` if its response was lost. */
  readonly isQuiet: boolean
}

/** A mutation under way. */
export interface MutationUnderWay {
  readonly endpoint: { readonly schema?: Schema | undefined }
  /** With real ids in place of temporary ones, once it is sent. */
  readonly args: readonly unknown[]
}

/** A request under way. */
interface Begun {
  /** The number of records that had arrived. */
  readonly arrivals: number
  /** `undefined` for a read. */
  readonly mutation: MutationUnderWay | undefined
}

/** What requests under way need to know of one record. */
class Window {
  past: readonly Past[] = []
  readonly own = new Map<string, OwnWrite>()
  /** By field, the position of the last write that changed it: a value may come back to what it was. */
  readonly changes = new Map<string, number>()
  /** As `changes`, without what an `update` of a mutation computed. */
  readonly received = new Map<string, number>()
  /** By field, the settling of the latest mutation that may have written it, and whose response did not tell the value. */
  readonly untold = new Map<string, number>()
  /** The latest write that created or deleted the record itself. */
  existence: OwnWrite | undefined
  /** The start of the last deletion; 0 for none. */
  deletion = 0
  /** The position of the last write. */
  latest = 0
  /** The position of the last write that changed a field. */
  changed = 0
  /** By field, the version of the response that brought it, if its class has versions; `undefined` if that had none. */
  readonly versions = new Map<string, unknown>()
  /** The version of all other fields. */
  declare readonly version: unknown

  constructor(version: unknown) {
    this.version = version
  }
}

/** The write of a record by a transaction that has ended. */
interface Done {
  /** The fields before it. */
  readonly before: Fields | undefined
  /** `false` if the record was never written before. */
  readonly wasWritten: boolean
  /** The names of the fields that a mutation or a `set` wrote itself. */
  readonly own: readonly string[]
  /** `true` if it created or deleted the record itself. */
  readonly decidesExistence: boolean
  /** `true` if an `update` of a mutation computed it. */
  readonly isComputed: boolean
  /** Of a class with versions: the version before and of the response, and the names of the fields that have it now. */
  readonly versions: Versions | undefined
}

/** The versions of a record that a response changed. */
export interface Versions {
  readonly before: unknown
  readonly received: unknown
  readonly names: readonly string[]
}

/** A record before a transaction. */
export interface StoredRecord {
  readonly fields: Fields
  readonly stamp: Stamp
}

/** A received record after it was judged field by field. */
export interface Judged {
  /** The fields to store. */
  readonly fields: Record<string, unknown>
  /** The names of the fields whose stored value is now the received one. */
  readonly taken: readonly string[]
  /** The received values of fields of which only the server knows which of two writers it handled last; `undefined` for none. */
  readonly overruled: Fields | undefined
  /** `true` if these values are most likely older: readers on screen wait for their next check. */
  readonly isQuiet: boolean
}

/**
 * Decides which write to a field wins. What a mutation wrote itself is confirmed by its own success, unless a mutation
 * that started later, or a `set`, wrote the field since. All else is judged by three values of the field: stored when the
 * request started, stored now, and received.
 *
 * Keeps data only while requests are under way, and only of records that are written meanwhile.
 *
 * @see specification G4
 */
export class FieldOrder {
  /** By the starts of the requests under way, in ascending order. */
  readonly #starts = new Map<number, Begun>()
  /** The records written while requests are under way; the last written last. */
  readonly #windows = new Map<RecordNode, Window>()
  /** The start of the latest request, under way or not. */
  #newest = 0
  /** The latest mutation of each record that did not tell what it wrote, while requests that started before it are under way. */
  readonly untold = new Map<RecordNode, Untold>()

  /**
   * @param arrivals - the number of records that have arrived
   * @param mutation - `undefined` for a read
   */
  begin(start: number, arrivals: number, mutation?: MutationUnderWay): void {
    this.#starts.set(start, { arrivals, mutation })
    this.#newest = start
  }

  end(start: number): void {
    this.#starts.delete(start)
    if (this.#windows.size === 0) return
    // One by one also without requests: the engine keeps what `clear` leaves until a full collection.
    const earliest = this.#earliest
    for (const [node, { latest }] of this.#windows) {
      if (latest > earliest) break
      this.#windows.delete(node)
      this.untold.delete(node)
    }
  }

  clear(): void {
    this.#windows.clear()
    this.untold.clear()
  }

  /** The number of records of which data is kept. */
  get size(): number {
    return this.#windows.size
  }

  /** Returns `true` if a request is under way other than the one that started at `start`. */
  isBusy(start: number): boolean {
    return this.#starts.size > (this.#starts.has(start) ? 1 : 0)
  }

  /** Returns `true` if a record was written after a request started, so that its fields must be judged one by one. */
  isWrittenSince(node: RecordNode, start: number): boolean {
    return this.#windows.size > 0 && (this.#windows.get(node)?.latest ?? 0) > start
  }

  /** Returns `true` if one of these fields was received after a request started: it may have what that did. */
  isReceivedSince(node: RecordNode, start: number, names: readonly string[]): boolean {
    const received = this.#windows.get(node)?.received
    return received !== undefined && names.some((name) => (received.get(name) ?? 0) > start)
  }

  /** Returns `true` if a record was not known when a request started that is under way. */
  isNewSince(node: RecordNode, start: number): boolean {
    return node.arrival > (this.#starts.get(start)?.arrivals ?? Infinity)
  }

  /** Returns `true` if a later mutation that was confirmed wrote the field, so that an earlier layer must not show it. */
  isCovered(node: RecordNode, name: string, start: number): boolean {
    return (this.#windows.get(node)?.own.get(name)?.confirmed ?? 0) > start
  }

  /**
   * Returns `true` if a mutation may delete a record: nothing newer says that it is there. Of a record that is deleted already, as
   * by the message of this deletion, no mutation that started later created or deleted it.
   */
  mayRemove(node: RecordNode, { start }: WriteOrder): boolean {
    const existence = this.#windows.get(node)?.existence
    return start >= ((node.fields === undefined ? existence?.confirmed : existence?.start) ?? 0)
  }

  /**
   * Judges a received record against the stored one.
   *
   * @param stored - the record before the transaction
   * @param own - the names of the fields that the mutation wrote itself
   * @param version - the field with the version of the record, if its class names one
   */
  judge(
    order: WriteOrder,
    node: RecordNode,
    stored: StoredRecord,
    received: Fields,
    own: ReadonlySet<string>,
    version: string | undefined,
  ): Judged {
    const { start } = order
    const window = this.#windows.get(node)
    const before = this.#fieldsAt(node, stored.fields, start)
    const earliest = before ?? window?.past.find(({ until }) => until > start)?.fields
    const isWinner = wins(order, stored.stamp)
    const fields: Record<string, unknown> = {}
    const taken: string[] = []
    let overruled: Record<string, unknown> | undefined
    let isQuiet = order.kind === 'read'
    const isUnknown = before === undefined && order.kind === 'mutation'
    // What was seen of a record since its create was sent is most likely newer than the response.
    const isMade = isUnknown && order.own !== undefined && order.own.makes !== 'none'
    const overrule = (name: string, isLoud: boolean, other = received[name]) => {
      ;(overruled ??= {})[name] = other
      if (isLoud) isQuiet = false
    }
    for (const name of Object.keys(received)) {
      const value = received[name]
      if (value === undefined || name === '__proto__') continue
      const write = window?.own.get(name)
      const untold = window?.untold.get(name)
      const then = valueOf(before, name)
      const now = valueOf(stored.fields, name)
      const age =
        version === undefined
          ? 0
          : compareVersions(received[version], versionOf(window, stored.fields, name, version))
      if (age !== 0) {
        if (age > 0) fields[name] = value
      } else if (own.has(name)) {
        if (write === undefined || start >= write.start) {
          fields[name] = value
          const changed = isMade ? Infinity : (window?.changes.get(name) ?? 0)
          const isObserved = changed > Math.max(start, write?.settle ?? 0)
          // Neither the value from before, nor one that this client sent: only the server knows whether it is newer.
          if (isObserved && !isSamePlain(now, value) && !isSamePlain(now, then) && !this.#isSent(name, now))
            overrule(name, true, now)
        } else if (!isSamePlain(now, value)) overrule(name, earliest !== undefined)
      } else if (!isSamePlain(now, value)) {
        const isOld = isSamePlain(then, value)
        // An own write that the request may not have seen stays; another value than before shows that something is newer.
        if (write !== undefined && start < write.settle) {
          // A value that nobody knows is most likely that from before the mutation.
          if (write.isConfirmed && !isSamePlain(valueOf(earliest, name), value))
            overrule(name, earliest !== undefined)
        } else if (untold !== undefined && start > untold !== stored.stamp.start > untold) {
          // What started after a mutation that did not tell its value wins over what started before.
          if (start > untold) fields[name] = value
        } else {
          const isUntouched = (window?.changes.get(name) ?? 0) <= start && isSamePlain(now, then)
          if (now === undefined || isUntouched || (isWinner && !isOld)) {
            fields[name] = value
            // What brought a record while a mutation was under way may be newer than what that saw of it.
            if (isUnknown && now !== undefined) overrule(name, true, now)
          }
          // What a mutation saw that started earlier may be older.
          else if (order.kind === 'read' && start > stored.stamp.start && !isOld) overrule(name, false)
        }
      } else taken.push(name)
    }
    return { fields, taken: [...taken, ...Object.keys(fields)], overruled, isQuiet }
  }

  /**
   * Returns the fields of a record without what reads and `set` brought of some fields since a mutation started, or since an earlier
   * one did that is under way and names the field, too. What a mutation wrote since stays.
   *
   * @param stored - the fields before the response
   * @param writes - `true` if a mutation names the field of the record
   * @returns `stored` itself if there is no difference, or the record was absent then
   */
  withoutObserved(
    node: RecordNode,
    stored: Fields,
    start: number,
    names: readonly string[],
    writes: (mutation: MutationUnderWay, name: string) => boolean,
  ): Fields | undefined {
    const { own, changes, deletion = 0 } = this.#windows.get(node) ?? {}
    const known: (readonly [string, unknown])[] = []
    for (const name of names) {
      const changed = changes?.get(name) ?? 0
      const write = own?.get(name)
      const settle = write?.isConfirmed === true ? write.settle : 0
      // What other layers show is no effect of a read.
      if (changed <= settle) continue
      const from = this.#startOf(node, start, deletion, (mutation) => writes(mutation, name))
      const then = this.#fieldsAt(node, stored, from)
      // A record that was deleted and made again since is another one.
      if (changed > from && deletion <= from) known.push([name, settle > from ? write?.value : then?.[name]])
    }
    if (known.every(([name, value]) => value === stored[name])) return stored
    return { ...stored, ...Object.fromEntries(known) }
  }

  /** The start of a mutation, or of the earliest one under way that writes the record, too. */
  #startOf(
    node: RecordNode,
    start: number,
    deletion: number,
    writes: (mutation: MutationUnderWay) => boolean,
  ): number {
    for (const [earlier, { arrivals, mutation }] of this.#starts) {
      if (earlier >= start) break
      const isThere = deletion <= earlier && node.arrival <= arrivals
      if (isThere && mutation !== undefined && writes(mutation)) return earlier
    }
    return start
  }

  /** Records a write of a transaction that has ended. */
  note(order: WriteOrder, node: RecordNode, done: Done): void {
    const { start, settle } = order
    const { before, own, decidesExistence, isComputed, versions } = done
    const isChanged = done.wasWritten && node.fields !== before
    if (own.length === 0 && !isChanged && !decidesExistence) return
    const window = this.#windows.get(node) ?? new Window(versions?.before)
    if (isChanged) {
      window.past = this.#keepPast(window, before, settle)
      window.changed = settle
      for (const name of Object.keys(node.fields ?? {}))
        if (node.fields?.[name] !== before?.[name]) {
          window.changes.set(name, settle)
          if (!isComputed) window.received.set(name, settle)
        }
    }
    const isConfirmed = order.kind === 'mutation'
    const write = { start, settle, isConfirmed, confirmed: isConfirmed ? start : 0, value: undefined }
    for (const name of own) {
      const known = window.own.get(name) ?? write
      const latest = start >= known.start ? { ...write, value: node.fields?.[name] } : known
      window.own.set(name, { ...latest, confirmed: Math.max(known.confirmed, write.confirmed) })
    }
    // The fields of a record that is made again are new.
    if (node.fields === undefined) {
      window.own.clear()
      window.deletion = start
    }
    if (decidesExistence) {
      const known = window.existence ?? write
      const confirmed = Math.max(known.confirmed, write.confirmed)
      window.existence = { ...(start >= known.start ? write : known), confirmed }
    }
    for (const name of versions?.names ?? own) window.versions.set(name, versions?.received)
    window.latest = settle
    // Moved to the end, so that the first is the one that was not written for longest.
    this.#windows.delete(node)
    this.#windows.set(node, window)
  }

  /** Records the settling of a mutation that may have written fields, and whose response did not tell their values. */
  noteUntold(node: RecordNode, untold: Untold, version = ''): void {
    const window = this.#windows.get(node) ?? new Window(valueOf(node.fields, version))
    for (const name of untold.names) window.untold.set(name, untold.settle)
    window.latest = untold.settle
    this.untold.set(node, untold)
    this.#windows.delete(node)
    this.#windows.set(node, window)
  }

  /** Returns `true` if a mutation under way has sent a value of a field. */
  #isSent(name: string, value: unknown): boolean {
    return [...this.#starts.values()].some(({ mutation }) =>
      [mutation?.args.at(-1)].flat().some((body) => isSamePlain((body as Fields | undefined)?.[name], value)),
    )
  }

  get #earliest(): number {
    for (const start of this.#starts.keys()) return start
    return Infinity
  }

  /** Adds replaced fields to those that requests under way started with. */
  #keepPast({ past, changed }: Window, fields: Fields | undefined, until: number): readonly Past[] {
    // Most changes follow another one, and no request has started in between.
    if (this.#newest < changed) return past
    const all = [...past, { fields, until }]
    if (all.length <= this.#starts.size) return all
    const starts = [...this.#starts.keys()]
    let from = 0
    return all.filter((each) => {
      const isNeeded = starts.some((start) => start >= from && start < each.until)
      from = each.until
      return isNeeded
    })
  }

  /** The fields of a record when a request started; `undefined` if it was absent. */
  #fieldsAt(node: RecordNode, stored: Fields, start: number): Fields | undefined {
    if (this.isNewSince(node, start)) return undefined
    for (const { fields, until } of this.#windows.get(node)?.past ?? []) if (until > start) return fields
    return stored
  }
}

/** The value of a field; `undefined` for inherited members such as `constructor`. */
function valueOf(fields: Fields | undefined, name: string): unknown {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** The version of a stored field. */
function versionOf(window: Window | undefined, stored: Fields, name: string, version: string): unknown {
  if (window === undefined) return stored[version]
  return window.versions.has(name) ? window.versions.get(name) : window.version
}

/** Compares two versions: numbers or dates, as values or as text. 0 if they are equal, or one is neither. */
function compareVersions(a: unknown, b: unknown): number {
  const [first, second] = [toNumber(a), toNumber(b)]
  if (Number.isNaN(first) || Number.isNaN(second)) return 0
  return first - second
}

function toNumber(version: unknown): number {
  if (typeof version === 'number') return version
  if (version instanceof Date) return version.getTime()
  if (typeof version !== 'string' || version === '') return NaN
  const number = Number(version)
  return Number.isNaN(number) ? Date.parse(version) : number
}

/** True if a write replaces the data with this stamp; otherwise it only adds missing fields. */
export function wins(order: WriteOrder, stamp: Stamp): boolean {
  if (order.kind === 'read') return order.start >= stamp.sequence
  return order.kind === 'expected' || order.start >= stamp.mutationStart
}
