import type { Issue, IssueState } from '../../issue.js'
import type { IssueFilter } from '../../api.js'
import { byUrgency, issueStates } from './words.js'

/** The orders of the list of issues, and their names. */
export const issueOrders = [
  { value: '', name: 'Newest' },
  { value: 'updated', name: 'Last updated' },
  { value: 'priority', name: 'Priority' },
] as const

export type IssueOrder = (typeof issueOrders)[number]['value']

/** The filter that an address names. */
export function issueFilterOf(params: URLSearchParams): IssueFilter {
  const state = issueStates.find(({ value }) => value === params.get('state'))?.value
  const assignee = params.get('assignee') === 'none' ? ('none' as const) : numberOf(params.get('assignee'))
  const label = numberOf(params.get('label'))
  const q = params.get('q') ?? ''
  return {
    ...(state !== undefined && { state }),
    ...(assignee !== undefined && { assignee }),
    ...(label !== undefined && { label }),
    ...(q !== '' && { q }),
  }
}

/** The order that an address names. @returns `''`, the newest first, if it names none */
export function issueOrderOf(params: URLSearchParams): IssueOrder {
  return issueOrders.find(({ value }) => value === params.get('order'))?.value ?? ''
}

/** A list in an order. It comes from the server with the newest first. */
export function inOrder(issues: readonly Issue[], order: IssueOrder): readonly Issue[] {
  if (order === '') return issues
  return issues.toSorted(
    order === 'priority' ? byUrgency : (a, b) => b.updatedAt.getTime() - a.updatedAt.getTime(),
  )
}

/** The filter of one column of the board. */
export function inState(filter: IssueFilter, state: IssueState): IssueFilter {
  return { ...filter, state }
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
