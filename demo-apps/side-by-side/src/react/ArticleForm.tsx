import { useState } from 'react'
import type { FormEvent } from 'react'
import { useCache } from '@selfsame/react'
import type { Article, ArticleBody } from '@selfsame/demo-shared'
import { articleResource } from '../api.js'
import { authorsOf, messageOf } from '../articles.js'

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
  const [isSaving, setIsSaving] = useState(false)
  const [failure, setFailure] = useState('')

  async function save(event: FormEvent) {
    event.preventDefault()
    setIsSaving(true)
    try {
      await onSave({ title, content, author })
    } catch (error) {
      setFailure(messageOf(error))
      setIsSaving(false)
    }
  }

  return (
    <form
      className="article-form"
      aria-label={article ? 'Edit the article' : 'New article'}
      onSubmit={save}
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
        {failure && (
          <p className="form-error" role="alert">
            {failure}
          </p>
        )}
        <button className="button primary" disabled={isSaving}>
          {article ? 'Save' : 'Create'}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
