import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useController, useLoading, useSuspense, withOptions } from '@selfsame/react'
import type { Article, ArticleBody } from '@selfsame/demo-shared'
import { articleResource } from '../api.js'
import { saved } from '../page/offline-view.js'
import { formatDate } from '@selfsame/demo-shared'
import { flashOnChange } from '../page/flash.js'
import { takeFocus } from '../page/focus.js'
import { ArticleForm } from './ArticleForm.js'
import { AuthorName } from './AuthorName.js'
import { Problem } from './Problem.js'

interface ArticleDetailProps {
  readonly id: number
  /** True if it replaces the element that had the focus. */
  readonly takesFocus: boolean
  readonly onOpen: (id: number) => void
  readonly onDelete: (article: Article) => Promise<void>
}

export function ArticleDetail({ id, takesFocus, onOpen, onDelete }: ArticleDetailProps) {
  const controller = useController()
  const article = useSuspense(withOptions(articleResource.get, { name: 'React' }), { id })
  const { title, content, author, createdAt, contributors, meta } = article
  const [isEditing, setIsEditing] = useState(false)
  const { run: remove, loading: isRemoving, error } = useLoading(() => onDelete(article))
  const heading = useRef<HTMLHeadingElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  useEffect(() => flashOnChange(heading.current, title), [title])
  useEffect(() => {
    if (takesFocus) takeFocus(heading.current)
  }, [takesFocus])

  async function save(body: ArticleBody) {
    await saved(controller.fetch(articleResource.partialUpdate, { id }, body))
    stopEditing()
  }

  function stopEditing() {
    flushSync(() => setIsEditing(false))
    editButton.current?.focus()
  }

  if (isEditing) return <ArticleForm article={article} onSave={save} onCancel={stopEditing} />
  return (
    <article>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {author ? <AuthorName author={author} /> : <p className="author">Nobody</p>}
      <p className="facts">
        {formatDate(createdAt)} · {meta.viewCount} views · {meta.likeCount} likes
      </p>
      <p className="content">{content}</p>
      {contributors.length > 0 && (
        <p className="facts">With {contributors.map(({ name }) => name).join(', ')}</p>
      )}
      {meta.relatedArticles.length > 0 && (
        <section className="related">
          <h4>Related</h4>
          {meta.relatedArticles.map((related) => (
            <button type="button" className="link" key={related.id} onClick={() => onOpen(related.id)}>
              {related.title}
            </button>
          ))}
        </section>
      )}
      <div className="actions">
        {error && (
          <div className="form-error" role="alert">
            <Problem error={error} />
          </div>
        )}
        <button type="button" className="button primary" ref={editButton} onClick={() => setIsEditing(true)}>
          Edit
        </button>
        <button
          type="button"
          className="button danger"
          aria-disabled={isRemoving}
          onClick={() => isRemoving || remove()}
        >
          Delete
        </button>
      </div>
    </article>
  )
}
