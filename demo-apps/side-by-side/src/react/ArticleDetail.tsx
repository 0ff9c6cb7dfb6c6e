import { useEffect, useRef, useState } from 'react'
import { useController, useSuspense } from '@selfsame/react'
import type { ArticleBody } from '@selfsame/demo-shared'
import { articleResource } from '../api.js'
import { formatDate, messageOf } from '../articles.js'
import { flashOnChange } from '../page/flash.js'
import { ArticleForm } from './ArticleForm.js'
import { AuthorName } from './AuthorName.js'

interface ArticleDetailProps {
  readonly id: number
  readonly onSelect: (id: number | undefined) => void
}

export function ArticleDetail({ id, onSelect }: ArticleDetailProps) {
  const controller = useController()
  const article = useSuspense(articleResource.get, { id })
  const { title, content, author, createdAt, contributors, meta } = article
  const [isEditing, setIsEditing] = useState(false)
  const [failure, setFailure] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => flashOnChange(heading.current, title), [title])

  async function save(body: ArticleBody) {
    await controller.fetch(articleResource.partialUpdate, { id }, body)
    setIsEditing(false)
  }

  async function remove() {
    try {
      await controller.fetch(articleResource.delete, { id })
      onSelect(undefined)
    } catch (error) {
      setFailure(messageOf(error))
    }
  }

  if (isEditing) return <ArticleForm article={article} onSave={save} onCancel={() => setIsEditing(false)} />
  return (
    <article>
      <h3 ref={heading}>{title}</h3>
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
            <button type="button" className="link" key={related.id} onClick={() => onSelect(related.id)}>
              {related.title}
            </button>
          ))}
        </section>
      )}
      <div className="actions">
        {failure && (
          <p className="form-error" role="alert">
            {failure}
          </p>
        )}
        <button type="button" className="button primary" onClick={() => setIsEditing(true)}>
          Edit
        </button>
        <button type="button" className="button danger" onClick={remove}>
          Delete
        </button>
      </div>
    </article>
  )
}
