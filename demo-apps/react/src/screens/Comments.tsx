import { accountResource, commentResource } from '@selfsame/demo-shared/application'
import type { User } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useCache, useController, useLoading, useSuspense } from '@selfsame/react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { LoadingRows } from '../parts/Loading.js'
import { Failed, Problem } from '../parts/Problem.js'
import { SubmitButton } from '../parts/SubmitButton.js'
import { commentHooks } from '../resources.js'

export function Comments({ postId }: { readonly postId: number }) {
  const { pathname } = useLocation()
  const user = useCache(accountResource.get)
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">Comments</h2>
      <AsyncBoundary fallback={<LoadingRows count={2} />} errorFallback={Failed}>
        <CommentList postId={postId} />
      </AsyncBoundary>
      {user === undefined ? (
        <p>
          <Link to={`/sign-in?from=${encodeURIComponent(pathname)}`}>Sign in to comment</Link>
        </p>
      ) : (
        <CommentForm postId={postId} user={user} />
      )}
    </section>
  )
}

function CommentList({ postId }: { readonly postId: number }) {
  const { data: comments } = useSuspense(commentResource.getList, { postId })
  if (comments.length === 0) return <p>No comments yet.</p>
  return (
    <ul aria-labelledby="comments" className="list">
      {comments.map(({ id, name, body }) => (
        <li key={id} className="comment">
          <h3>{name}</h3>
          <p>{body}</p>
        </li>
      ))}
    </ul>
  )
}

function CommentForm({ postId, user }: { readonly postId: number; readonly user: User }) {
  const controller = useController()
  const create = commentHooks.useCreate()
  const field = useRef<HTMLTextAreaElement>(null)
  const [body, setBody] = useState('')
  const {
    run: send,
    loading: isSending,
    error,
  } = useLoading(async () => {
    await controller.fetch(create, { postId, name: user.name, email: user.email, body })
    setBody('')
    field.current?.focus()
  })
  const submit = (event: React.SubmitEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <form className="form comment-form" aria-label="Write a comment" onSubmit={submit}>
      <label className="field">
        Comment
        <textarea ref={field} required value={body} onChange={({ target }) => setBody(target.value)} />
      </label>
      {error !== undefined && <Problem error={error} />}
      <div className="actions">
        <SubmitButton sending="Sending…" isSending={isSending}>
          Send
        </SubmitButton>
      </div>
    </form>
  )
}
