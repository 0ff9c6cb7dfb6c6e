import { development } from '#development'
import type { Controller } from '../controller/controller.js'
import { warn } from '../errors.js'
import { hydrate } from '../hydration/hydrate.js'
import { keptStates } from '../storage/kept-states.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { staleOf, statesOf } from './kept-rows.js'
import type { KeptCall, KeptRecord } from './kept-rows.js'
import type { PersistOptions } from './persist-options.js'

/** Stores what was kept, as Stale data: without what has another form, of which it warns in development. */
export function showKept(controller: Controller, kept: readonly (KeptRecord | KeptCall)[]): void {
  controller.batch(() => {
    showRecords(
      controller,
      kept.filter((each) => 'pk' in each),
    )
    for (const each of kept) if ('state' in each) showState(controller, each.state)
  })
}

/** Stores records. If one has another form, the others are stored. */
function showRecords(controller: Controller, records: readonly KeptRecord[]): void {
  const isShown = statesOf(records).map((state) => showState(controller, state, records.length === 1))
  if (records.length > 1 && isShown.includes(false))
    for (const record of records) showRecords(controller, [record])
}

/** @returns `false`, with a warning in development, for a state of another form */
function showState(controller: Controller, state: DehydratedState, isTold = true): boolean {
  const stale = staleOf(state)
  keptStates.add(stale)
  try {
    hydrate(controller, stale)
    return true
  } catch (error) {
    if (development && isTold) warn(error)
    return false
  }
}

/** The records of another version that are kept, with their new fields. A deleted record has none. */
export function migrated(
  records: readonly KeptRecord[],
  migrate: NonNullable<PersistOptions['migrate']>,
  from: number,
): KeptRecord[] {
  return records.flatMap((record) => {
    try {
      const fields: unknown = record.fields === null ? null : migrate(record.key, record.fields, from)
      return fields === undefined ? [] : { ...record, fields }
    } catch (error) {
      warn(`persist() leaves out ${record.key} "${record.pk}": ${(error as Error).message}`)
      return []
    }
  })
}
