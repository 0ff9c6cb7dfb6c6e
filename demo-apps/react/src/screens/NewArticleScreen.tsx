import { accountResource, announce } from '@selfsame/demo-shared/application'
import { useController, useLoading, useSuspense } from '@selfsame/react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AuthorSelect } from '../parts/AuthorSelect.js'
import { Heading } from '../parts/Heading.js'
import { Problem } from '../parts/Problem.js'
import { SignedInOnly } from '../parts/SignedInOnly.js'
import { SubmitButton } from '../parts/SubmitButton.js'
import { TextFields } from '../parts/TextFields.js'
import { articleHooks } from '../resources.js'

export function NewArticleScreen() {
  return (
    <SignedInOnly>
      <Heading>New article</Heading>
      <NewArticle />
    </SignedInOnly>
  )
}

function NewArticle() {
  const user = useSuspense(accountResource.get)
  const controller = useController()
  const navigate = useNavigate()
  const endpoint = articleHooks.useCreate()
  const [text, setText] = useState({ title: '', content: '' })
  const [author, setAuthor] = useState<number | undefined>(user.id)
  const {
    run: create,
    loading: isCreating,
    error,
  } = useLoading(async () => {
    const article = await controller.fetch(endpoint, { ...text, author: author ?? null })
    await navigate(`/articles/${article?.id}`)
    announce('Created.')
  })
  const submit = (event: React.SubmitEvent) => {
    event.preventDefault()
    void create()
  }
  return (
    <form className="form" aria-label="New article" onSubmit={submit}>
      <TextFields text={text} onChange={setText} />
      <AuthorSelect label="Author" none="Nobody" value={author} onChange={setAuthor} />
      {error !== undefined && <Problem error={error} />}
      <div className="actions">
        <SubmitButton sending="Creating…" isSending={isCreating}>
          Create
        </SubmitButton>
        <Link className="button" to="/articles">
          Cancel
        </Link>
      </div>
    </form>
  )
}
