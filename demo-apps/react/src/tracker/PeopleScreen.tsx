import {
  formatCount,
  issueResource,
  openIssuesOf,
  portraitOf,
  renameUser,
  userResource,
} from '@selfsame/demo-shared/application'
import type { User } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useController, useQuery, useSuspenseAll } from '@selfsame/react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Heading } from '../parts/Heading.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'

export function PeopleScreen() {
  return (
    <>
      <Heading>People</Heading>
      <p className="lead">Rename someone. Every screen and every user sees it at once.</p>
      <AsyncBoundary fallback={<LoadingRows count={9} />} errorFallback={Failed}>
        <People />
      </AsyncBoundary>
    </>
  )
}

function People() {
  const { users } = useSuspenseAll({ users: [userResource.getList], issues: [issueResource.getList] })
  return (
    <ul aria-label="People" className="list">
      {users.map((user) => (
        <Person key={user.id} user={user} />
      ))}
    </ul>
  )
}

function Person({ user }: { readonly user: User }) {
  const { id, name, email } = user
  const controller = useController()
  const open = useQuery(openIssuesOf, { user: id }) ?? 0
  const [draft, setDraft] = useState<string>()
  const save = () => {
    setDraft(undefined)
    if (draft !== undefined && draft.trim() !== '' && draft !== name)
      void renameUser(controller, user, draft.trim())
  }
  return (
    <li className="person">
      <img className="avatar" src={portraitOf(id)} alt="" />
      <div>
        {draft === undefined ? (
          <strong>{name}</strong>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              save()
            }}
          >
            <input
              type="text"
              aria-label={`New name of ${name}`}
              maxLength={100}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked to edit it
              autoFocus
              value={draft}
              onChange={({ target }) => setDraft(target.value)}
              onBlur={save}
              onKeyDown={({ key }) => key === 'Escape' && setDraft(undefined)}
            />
          </form>
        )}
        <p className="facts">{email}</p>
      </div>
      <Link to={`/issues?assignee=${id}`}>{formatCount(open, 'open issue')}</Link>
      <button
        type="button"
        className="icon-button"
        data-icon="pencil"
        aria-label={`Rename ${name}`}
        onClick={() => setDraft(name)}
      />
    </li>
  )
}
