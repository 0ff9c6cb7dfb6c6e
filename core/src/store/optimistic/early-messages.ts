import { recordOf } from '../../schema/members-schema.js'
import type { Clock } from '../../util/clock.js'
import { toRecords } from '../list-members.js'
import { RecordNode } from '../records.js'
import type { RecordTable, UndoLog } from '../records.js'
import type { UnnamedRecords } from './unnamed-records.js'

/** A mutation under way, with what it shows. */
interface ShownEarly {
  readonly start: number
  readonly temporaryId: string
  /** The normalized optimistic response. */
  readonly result: unknown
}

/** How long a message waits for a create, in milliseconds. */
const longestHoldMs = 2000

/** Messages that bring nothing but records that nobody knew, while creates of their class are under way: one of them may be its record. */
export class EarlyMessages {
  readonly #unnamed: Pick<UnnamedRecords, 'ended'>
  readonly #waiting = new Set<() => void>()

  constructor(unnamed: Pick<UnnamedRecords, 'ended'>) {
    this.#unnamed = unnamed
  }

  /**
   * Keeps a message until the creates are answered, and tell, and in any case not for long.
   *
   * @param before - the records before it was written
   * @param write - writes it then
   * @returns `false` if there is no reason to wait
   */
  keep(layers: readonly ShownEarly[], before: UndoLog, clock: Clock, write: () => void): boolean {
    const tables = newTablesOf(before)
    const creates = tables.size === 0 ? [] : layers.filter((layer) => makesOneOf(layer, tables))
    if (creates.length === 0) return false
    const end = () => {
      clock.clearTimeout(timer)
      if (this.#waiting.delete(end)) write()
    }
    const timer = clock.setTimeout(end, longestHoldMs)
    this.#waiting.add(end)
    void Promise.all(creates.map(({ start }) => this.#unnamed.ended(start))).then(end)
    return true
  }

  clear(): void {
    this.#waiting.clear()
  }
}

/** The tables of new records; none if a known record has changed. */
function newTablesOf(before: UndoLog): ReadonlySet<RecordTable> {
  const tables = new Set<RecordTable>()
  let hasChanged = false
  before.each((node, _stamp, fields) => {
    if (fields === undefined) tables.add(node.table)
    else if (node.fields !== fields) hasChanged = true
  })
  return hasChanged ? new Set() : tables
}

/** Returns `true` if a layer shows a record of one of these tables with a temporary id. */
function makesOneOf({ result, temporaryId }: ShownEarly, tables: ReadonlySet<RecordTable>): boolean {
  const isMade = (record: unknown) =>
    record instanceof RecordNode && tables.has(record.table) && record.pk.startsWith(temporaryId)
  return toRecords(result).map(recordOf).some(isMade)
}
