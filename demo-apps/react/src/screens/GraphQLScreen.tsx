import { articleQueries } from '@selfsame/demo-shared/application'
import type { ArticleSummary } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useController, useLoading, useSuspense } from '@selfsame/react'
import { useState } from 'react'
import { ArticleLink } from '../parts/ArticleLink.js'
import { Heading } from '../parts/Heading.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed, Problem } from '../parts/Problem.js'
import { SubmitButton } from '../parts/SubmitButton.js'

export function GraphQLScreen() {
  return (
    <>
      <Heading>Articles by GraphQL</Heading>
      <p className="lead">
        These are the records of the other screens. Rename one here, and it changes there.
      </p>
      <AsyncBoundary fallback={<LoadingRows count={8} />} errorFallback={Failed}>
        <ArticleList />
      </AsyncBoundary>
    </>
  )
}

function ArticleList() {
  const { articles } = useSuspense(articleQueries.getList, { limit: 8 })
  return (
    <ul aria-label="Articles by GraphQL" className="list">
      {articles.map((article) => (
        <li key={article.id} className="row">
          <ArticleLink article={article} />
          <RenameForm article={article} />
        </li>
      ))}
    </ul>
  )
}

function RenameForm({ article: { id, title } }: { readonly article: ArticleSummary }) {
  const controller = useController()
  const [text, setText] = useState('')
  const {
    run: rename,
    loading: isRenaming,
    error,
  } = useLoading(async () => {
    await controller.fetch(articleQueries.rename, { id, title: text })
    setText('')
  })
  const submit = (event: React.SubmitEvent) => {
    event.preventDefault()
    void rename()
  }
  return (
    <form className="form inline" onSubmit={submit}>
      <label className="field">
        <span className="hint">New title</span>
        <input
          type="text"
          aria-label={`New title of ${title}`}
          required
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <SubmitButton sending="Renaming…" isSending={isRenaming}>
        Rename
      </SubmitButton>
      {error !== undefined && <Problem error={error} />}
    </form>
  )
}
