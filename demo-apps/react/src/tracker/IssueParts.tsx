import { numberOf, portraitOf, priorityOf, stateOf } from '@selfsame/demo-shared/application'
import { activityResource } from '@selfsame/demo-shared/application'
import type { Choice, Issue, Label, User } from '@selfsame/demo-shared/application'
import { usePrefetch } from '@selfsame/react'
import { Link } from 'react-router'

/** An icon with a name. */
export function Icon({ choice: { name, icon, value } }: { readonly choice: Choice<string> }) {
  return <span role="img" aria-label={name} title={name} data-icon={icon} data-value={value} />
}

/** The picture of a user. */
export function Portrait({ user }: { readonly user: User }) {
  return <img className="avatar" src={portraitOf(user.id)} alt={user.name} title={user.name} />
}

/** A link that prefetches what happened to its issue; the issue itself is in the cache. */
export function IssueLink({ issue }: { readonly issue: Issue }) {
  const { onIntent } = usePrefetch(activityResource.getList, { issue: issue.id })
  return (
    <Link className="row-title" to={`/issues/${issue.id}`} ref={onIntent}>
      {issue.title}
    </Link>
  )
}

export function Labels({ labels }: { readonly labels: readonly Label[] }) {
  return labels.map(({ id, name, color }) => (
    <span key={id} className="label" data-color={color}>
      {name}
    </span>
  ))
}

/** An issue of the board. */
export function IssueCard({ issue }: { readonly issue: Issue }) {
  const { id, priority, labels, assignee, commentCount } = issue
  return (
    <li className="issue-card" data-issue={id}>
      <p className="issue-facts">
        <Icon choice={priorityOf(priority)} />
        <span>{numberOf(issue)}</span>
        {assignee !== null && <Portrait user={assignee} />}
      </p>
      <IssueLink issue={issue} />
      <p className="labels">
        <Labels labels={labels} />
        {commentCount > 0 && <span data-icon="message-square">{commentCount}</span>}
      </p>
    </li>
  )
}

/** An issue of the list. */
export function IssueRow({ issue }: { readonly issue: Issue }) {
  const { id, state, priority, labels, assignee } = issue
  return (
    <li className="issue-row" data-issue={id}>
      <Icon choice={priorityOf(priority)} />
      <span className="issue-number">{numberOf(issue)}</span>
      <Icon choice={stateOf(state)} />
      <IssueLink issue={issue} />
      <span className="labels">
        <Labels labels={labels} />
      </span>
      {assignee === null ? <span className="avatar nobody" /> : <Portrait user={assignee} />}
    </li>
  )
}
