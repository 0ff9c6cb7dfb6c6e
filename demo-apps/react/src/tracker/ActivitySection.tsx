import {
  accountResource,
  activityPageSize,
  activityResource,
  commentOn,
  deedOf,
  formatDate,
  iconOf,
  portraitOf,
} from '@selfsame/demo-shared/application'
import type { Activity } from '@selfsame/demo-shared/application'
import {
  AsyncBoundary,
  useCache,
  useController,
  useInfinite,
  useSubscription,
  useSuspense,
} from '@selfsame/react'
import { useState } from 'react'
import { EndOfList } from '../parts/EndOfList.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'

/** What happened to an issue, the newest first, and a form for a comment. */
export function ActivitySection({ issue }: { readonly issue: number }) {
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <CommentForm issue={issue} />
      <AsyncBoundary fallback={<LoadingRows count={3} />} errorFallback={Failed}>
        <ActivityList issue={issue} />
      </AsyncBoundary>
    </section>
  )
}

function ActivityList({ issue }: { readonly issue: number }) {
  useSubscription(activityResource.getList, { issue })
  const activities = useSuspense(activityResource.getList, { issue })
  const list = useInfinite(
    activityResource.getList,
    { issue },
    {
      next: (loaded, { pages }) =>
        loaded.length < pages * activityPageSize ? undefined : { cursor: loaded.at(-1)?.id },
    },
  )
  return (
    <>
      <ul aria-labelledby="activity" className="activity">
        {activities.map((activity) => (
          <ActivityRow key={activity.id} activity={activity} />
        ))}
      </ul>
      <EndOfList list={list} length={activities.length} />
    </>
  )
}

function ActivityRow({ activity }: { readonly activity: Activity }) {
  const { kind, actor, body, createdAt } = activity
  return (
    <li className={kind === 'comment' ? 'remark' : 'deed'}>
      {kind === 'comment' && actor !== null ? (
        <img className="avatar" src={portraitOf(actor.id)} alt="" />
      ) : (
        <span data-icon={iconOf(activity)} />
      )}
      <div>
        <p className="facts">
          <strong>{actor?.name ?? 'A visitor'}</strong> {deedOf(activity)} · {formatDate(createdAt)}
        </p>
        {kind === 'comment' && <p>{body}</p>}
      </div>
    </li>
  )
}

/** The comment is shown at once. If the server refuses it, its text is back. */
function CommentForm({ issue }: { readonly issue: number }) {
  const controller = useController()
  const user = useCache(accountResource.get)
  const [body, setBody] = useState('')
  const send = async () => {
    setBody('')
    if (!(await commentOn(controller, issue, user, body))) setBody(body)
  }
  return (
    <form
      className="form comment-form"
      aria-label="Write a comment"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <textarea
        aria-label="Comment"
        placeholder="Leave a comment"
        required
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      <button className="button primary">Send</button>
    </form>
  )
}
