import { announce, articleResource } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useController, useLoading, useSuspense } from '@selfsame/react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { Heading } from '../parts/Heading.js'
import { LoadingArticle } from '../parts/Loading.js'
import { Problem } from '../parts/Problem.js'
import { SignedInOnly } from '../parts/SignedInOnly.js'
import { SubmitButton } from '../parts/SubmitButton.js'
import { TextFields } from '../parts/TextFields.js'
import { articleHooks } from '../resources.js'
import { ArticleFailed } from './ArticleScreen.js'

export function EditArticleScreen() {
  const id = Number(useParams()['id'])
  return (
    <SignedInOnly>
      <AsyncBoundary fallback={<LoadingArticle />} errorFallback={ArticleFailed}>
        <EditArticle key={id} id={id} />
      </AsyncBoundary>
    </SignedInOnly>
  )
}

/** The heading shows the record: the new text immediately, and the old one again if saving fails. */
function EditArticle({ id }: { readonly id: number }) {
  const article = useSuspense(articleResource.get, { id })
  const controller = useController()
  const navigate = useNavigate()
  const update = articleHooks.usePartialUpdate()
  const [text, setText] = useState({ title: article.title, content: article.content })
  const {
    run: save,
    loading: isSaving,
    error,
  } = useLoading(async () => {
    await controller.fetch(update, { id }, text)
    await navigate(`/articles/${id}`)
    announce('Saved.')
  })
  const submit = (event: React.SubmitEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <>
      <Heading>{`Edit: ${article.title}`}</Heading>
      <form className="form" aria-label="Edit article" onSubmit={submit}>
        <TextFields text={text} onChange={setText} />
        {error !== undefined && (
          <Problem error={error} title="Not saved">
            The article is unchanged.
          </Problem>
        )}
        <div className="actions">
          <SubmitButton sending="Saving…" isSending={isSaving}>
            Save
          </SubmitButton>
          <Link className="button" to={`/articles/${id}`}>
            Cancel
          </Link>
        </div>
      </form>
    </>
  )
}
