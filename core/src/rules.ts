/**
 * Rules of lists: which records belong to a list, and where. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { order, rule } from './rules/list-rules.js'
export type { ListOrder, ListRule } from './schema/ruled-list.js'
