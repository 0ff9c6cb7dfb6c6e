import * as errors from '../errors.js'
import type { OutboxContext } from './context.js'
import { endLive, keyOfRow, toOutboxMutation } from './entry.js'
import type { Entry } from './entry.js'

/** Takes a mutation back, with those that name the record which it creates. @param why - or the error of its promise */
export function dropNow(context: OutboxContext, entry: Entry, why: errors.DropReason | Error): void {
  const { entries, rows } = context
  if (!entries.all.includes(entry)) return
  entries.remove(entry)
  rows.set(keyOfRow(entry), undefined)
  const { requestId } = entry
  endLive(entry, 'left', why instanceof Error ? why : errors.outboxDropped(entry.row.endpoint, why))
  if (requestId !== undefined && entry.live === undefined) entries.endRequest(requestId)
  for (const dependent of entries.dependentsOf(entry)) dropNow(context, dependent, 'dependency')
  void rows.flush()
}

/** Takes a refused mutation back, if its caller hears of the error and the application wants no more. @returns `false` if not */
export function dropIfHeard(context: OutboxContext, entry: Entry, error: Error): boolean {
  const isHeard = entry.isOwn === true && entry.live !== undefined
  const isToDrop = isHeard && context.options.onRefused?.(toOutboxMutation(entry), error) === 'drop'
  if (isToDrop) dropNow(context, entry, error)
  return isToDrop
}
