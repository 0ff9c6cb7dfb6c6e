/**
 * Queries that maintain themselves: filtered, ordered, grouped and counted lists of stored records, of which a change costs as
 * much as it changes. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export {
  from,
  MaintainedGroups,
  MaintainedList,
  MaintainedQuery,
  MaintainedTotals,
} from './maintained/maintained-query.js'
export type { Group, GroupTotal, RowOf, TotalOf, Ungrouped } from './maintained/maintained-query.js'
export type { ListWindow } from './maintained/steps.js'
