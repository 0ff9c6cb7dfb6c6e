import type { Activity, Issue, IssuePriority, IssueState } from '../../issue.js'

/** A value of a field, as pages show it. `icon` is a name of `design/icons.css`. */
export interface Choice<Value> {
  readonly value: Value
  readonly name: string
  readonly icon: string
}

const backlog: Choice<IssueState> = { value: 'backlog', name: 'Backlog', icon: 'circle-dashed' }
const noPriority: Choice<IssuePriority> = { value: 'none', name: 'No priority', icon: 'minus' }

/** The columns of the board, in their order. */
export const issueStates: readonly Choice<IssueState>[] = [
  backlog,
  { value: 'todo', name: 'Todo', icon: 'circle' },
  { value: 'in-progress', name: 'In progress', icon: 'circle-dot-dashed' },
  { value: 'done', name: 'Done', icon: 'circle-check' },
]

/** The most urgent first. */
export const issuePriorities: readonly Choice<IssuePriority>[] = [
  { value: 'urgent', name: 'Urgent', icon: 'octagon-alert' },
  { value: 'high', name: 'High', icon: 'signal-high' },
  { value: 'medium', name: 'Medium', icon: 'signal-medium' },
  { value: 'low', name: 'Low', icon: 'signal-low' },
  noPriority,
]

export function stateOf(value: string | null): Choice<IssueState> {
  return issueStates.find((state) => state.value === value) ?? backlog
}

export function priorityOf(value: string | null): Choice<IssuePriority> {
  return issuePriorities.find((priority) => priority.value === value) ?? noPriority
}

/** The drawn picture of a user. */
export function portraitOf(id: number): string {
  return `/rest/images/person-${id}.svg`
}

/** What was done, after the name of who did it: `moved this from Todo to Done`. */
export function deedOf({ kind, from, to, assignee }: Activity): string {
  switch (kind) {
    case 'created':
      return 'opened this issue'
    case 'comment':
      return 'commented'
    case 'state':
      return `moved this from ${stateOf(from).name} to ${stateOf(to).name}`
    case 'priority':
      return `set the priority to ${priorityOf(to).name}`
    case 'assignee':
      return assignee === null ? 'removed the assignee' : `assigned ${assignee.name}`
    case 'title':
      return `renamed this from “${from}”`
    case 'body':
      return 'edited the description'
    case 'labels':
      return 'changed the labels'
  }
}

/** The icon of a kind of activity. */
export function iconOf({ kind, to }: Activity): string {
  const icons = {
    created: 'calendar-plus',
    comment: 'message-square',
    state: stateOf(to).icon,
    priority: 'flag',
    assignee: 'user-plus',
    title: 'pencil',
    body: 'pencil',
    labels: 'tag',
  } as const
  return icons[kind]
}

const ranks = new Map(issuePriorities.map(({ value }, index) => [value, index]))

/** What decides the place of an issue in its column. */
export type Urgency = Pick<Issue, 'id' | 'priority'>

/** The place of an issue among those of a column. */
export function placeByUrgency(issue: Urgency, column: readonly Urgency[]): number {
  return column.filter((other) => byUrgency(other, issue) < 0).length
}

/** The most urgent first; of equal ones the newest. */
export function byUrgency(a: Urgency, b: Urgency): number {
  return (ranks.get(a.priority) ?? 0) - (ranks.get(b.priority) ?? 0) || b.id - a.id
}
