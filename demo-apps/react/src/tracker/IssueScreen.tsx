import {
  accountResource,
  changeIssue,
  deleteIssue,
  formatDate,
  getPresence,
  issueResource,
  numberOf,
} from '@selfsame/demo-shared/application'
import type { Issue } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useCache, useController, useSubscription, useSuspense } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { Heading } from '../parts/Heading.js'
import { Problem } from '../parts/Problem.js'
import { ActivitySection } from './ActivitySection.js'
import { IssueFields } from './IssueFields.js'
import { Portrait } from './IssueParts.js'
import { LoadingIssue } from './LoadingIssues.js'

export function IssueScreen() {
  const id = Number(useParams()['id'])
  return (
    <AsyncBoundary fallback={<LoadingIssue />} errorFallback={IssueFailed}>
      <IssueDetail key={id} id={id} />
    </AsyncBoundary>
  )
}

function IssueDetail({ id }: { readonly id: number }) {
  const issue = useSuspense(issueResource.get, { id })
  const controller = useController()
  const navigate = useNavigate()
  const remove = async () => {
    await navigate('/issues')
    await deleteIssue(controller, issue)
  }
  return (
    <div className="issue-screen">
      <article className="issue-main">
        <p className="crumbs">
          <Link to="/issues">Issues</Link> <span>{numberOf(issue)}</span>
          <Viewers id={id} />
        </p>
        <Heading>{issue.title}</Heading>
        <p className="facts">
          Opened by {issue.author?.name ?? 'a visitor'} · {formatDate(issue.createdAt)}
        </p>
        <IssueText issue={issue} />
      </article>
      <aside className="issue-side" aria-label="Fields">
        <IssueFields issue={issue} />
        <button type="button" className="button danger" data-icon="trash-2" onClick={() => void remove()}>
          Delete
        </button>
      </aside>
      <ActivitySection issue={id} />
    </div>
  )
}

/** Title and description, edited in their place. */
function IssueText({ issue }: { readonly issue: Issue }) {
  const controller = useController()
  const [draft, setDraft] = useState<{ title: string; body: string }>()
  if (draft === undefined) {
    const edit = () => setDraft({ title: issue.title, body: issue.body })
    return (
      <>
        <div className="content">{issue.body || 'No description.'}</div>
        <p>
          <button type="button" className="button" data-icon="pencil" onClick={edit}>
            Edit
          </button>
        </p>
      </>
    )
  }
  const save = async () => {
    setDraft(undefined)
    if (!(await changeIssue(controller, issue, draft))) setDraft(draft)
  }
  return (
    <form
      className="form"
      aria-label="Edit issue"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setDraft(undefined)
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <label className="field">
        Title
        <input
          type="text"
          required
          maxLength={200}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked to edit it
          autoFocus
          value={draft.title}
          onChange={({ target }) => setDraft({ ...draft, title: target.value })}
        />
      </label>
      <label className="field">
        Description
        <textarea value={draft.body} onChange={({ target }) => setDraft({ ...draft, body: target.value })} />
      </label>
      <div className="actions">
        <button className="button primary">Save</button>
        <button type="button" className="button" onClick={() => setDraft(undefined)}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** Who else views the issue. The connection makes this user one of them. */
function Viewers({ id }: { readonly id: number }) {
  const user = useCache(accountResource.get)
  const viewed = { id, user: user?.id }
  useSubscription(getPresence, viewed)
  const others = useCache(getPresence, viewed)?.users.filter((other) => other.id !== user?.id) ?? []
  return (
    <span className="viewers">
      {others.length > 0 && 'Also here: '}
      {others.map((other) => (
        <Portrait key={other.id} user={other} />
      ))}
    </span>
  )
}

function IssueFailed({ error, reset }: ErrorFallbackProps) {
  return (
    <>
      <Heading>Issue</Heading>
      <Problem error={error} reset={reset} />
      <p>
        <Link to="/issues">All issues</Link>
      </p>
    </>
  )
}
