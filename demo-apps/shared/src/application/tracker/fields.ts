import type { Controller } from '@selfsame/core'
import type { IssueFilter } from '../../api.js'
import type { Issue, Label } from '../../issue.js'
import type { User } from '../../user.js'
import { changeIssue, moveIssue } from './changes.js'
import { issueOrders, type IssueOrder } from './filters.js'
import { issuePriorities, issueStates } from './words.js'

/** What a `<select>` offers. */
export interface SelectOption {
  readonly value: string
  readonly name: string
}

/** A field of an issue that has one of some values. */
export interface IssueField {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly choose: (value: string) => void
}

/** The fields of an issue. Each change is shown at once, and taken back if the server refuses. */
export function fieldsOf(
  controller: Controller,
  issue: Issue,
  users: readonly User[] = [],
): readonly IssueField[] {
  const assign = (id: string) => changeIssue(controller, issue, { assignee: id === '' ? null : Number(id) })
  return [
    fieldOf('State', issue.state, issueStates, (state) => moveIssue(controller, issue, state)),
    fieldOf('Priority', issue.priority, issuePriorities, (priority) =>
      changeIssue(controller, issue, { priority }),
    ),
    fieldOf('Assignee', String(issue.assignee?.id ?? ''), [nobody, ...users.map(optionOf)], assign),
  ]
}

const nobody: SelectOption = { value: '', name: 'Nobody' }
const optionOf = ({ id, name }: User | Label): SelectOption => ({ value: String(id), name })

function fieldOf<Value extends string>(
  label: string,
  value: Value,
  options: readonly { readonly value: Value; readonly name: string }[],
  save: (value: Value) => unknown,
): IssueField {
  const choose = (chosen: string) => {
    const option = options.find(({ value: offered }) => offered === chosen)
    if (option !== undefined) save(option.value)
  }
  return { label, value, options, choose }
}

/** Gives an issue a label, or takes it away. */
export function toggleLabel(controller: Controller, issue: Issue, label: Label): void {
  const chosen = issue.labels.map(({ id }) => id)
  const labels = hasLabel(issue, label) ? chosen.filter((id) => id !== label.id) : [...chosen, label.id]
  void changeIssue(controller, issue, { labels: labels.toSorted((a, b) => a - b) })
}

export function hasLabel({ labels }: Issue, { id }: Label): boolean {
  return labels.some((label) => label.id === id)
}

/** A filter of a list of issues, or its order: `param` of the address. The first option is `''`, which leaves the param out. */
export interface IssueSelect {
  readonly param: string
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
}

/**
 * What is chosen above a list of issues, and what may be.
 *
 * @param order - if given, states and orders can be chosen, too
 */
export function selectsOf(
  filter: IssueFilter,
  order: IssueOrder | undefined,
  users: readonly User[] = [],
  labels: readonly Label[] = [],
): readonly IssueSelect[] {
  const people = [{ value: 'none', name: 'Nobody' }, ...users.map(optionOf)]
  const assignee = selectOf('Assignee', filter.assignee, 'Anyone', people)
  const label = selectOf('Label', filter.label, 'Any label', labels.map(optionOf))
  if (order === undefined) return [assignee, label]
  const state = selectOf('State', filter.state, 'Any state', issueStates)
  return [state, assignee, label, { param: 'order', label: 'Order', value: order, options: issueOrders }]
}

function selectOf(
  label: string,
  value: string | number | undefined,
  any: string,
  options: readonly SelectOption[],
): IssueSelect {
  return {
    param: label.toLowerCase(),
    label,
    value: String(value ?? ''),
    options: [{ value: '', name: any }, ...options],
  }
}
