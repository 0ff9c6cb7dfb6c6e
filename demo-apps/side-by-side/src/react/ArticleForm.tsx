import { useState } from 'react'
import type { FormEvent } from 'react'
import { useCache, useLoading } from '@selfsame/react'
import type { Article, ArticleBody } from '@selfsame/demo-shared'
import { articleResource } from '../api.js'
import { authorsOf } from '../articles.js'
import { Problem } from './Problem.js'

interface ArticleFormProps {
  /** The article to edit; without it the form is for a new one. */
  readonly article?: Article
  readonly onSave: (body: ArticleBody) => Promise<void>
  readonly onCancel: () => void
}

export function ArticleForm({ article, onSave, onCancel }: ArticleFormProps) {
  const articles = useCache(articleResource.getList)
  const authors = authorsOf(articles ?? (article ? [article] : []))
  const [title, setTitle] = useState(article?.title ?? '')
  const [content, setContent] = useState(article?.content ?? '')
  const [author, setAuthor] = useState(article?.author?.id ?? null)
  const { run: save, loading: isSaving, error } = useLoading(onSave)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isSaving) void save({ title, content, author })
  }

  return (
    <form
      className="article-form"
      aria-label={article ? 'Edit the article' : 'New article'}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label className="field">
        Title
        <input
          required
          maxLength={200}
          autoFocus
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <label className="field">
        Author
        <select
          value={author ?? ''}
          onChange={(event) => setAuthor(event.target.value === '' ? null : Number(event.target.value))}
        >
          <option value="">Nobody</option>
          {authors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Text
        <textarea value={content} onChange={(event) => setContent(event.target.value)} />
      </label>
      <div className="actions">
        {error && (
          <div className="form-error" role="alert">
            <Problem error={error} />
          </div>
        )}
        <button className="button primary" aria-disabled={isSaving}>
          {article ? 'Save' : 'Create'}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
