import { useState } from 'react'
import { Failure, firstLineOf } from './Failure.js'
import { FieldsForm } from './FieldsForm.js'
import type { Fields } from './library.js'
import { useLibrary } from './library-context.js'

interface ArticleDetailProps {
  readonly id: number
  readonly onGone: () => void
}

export function ArticleDetail({ id, onGone }: ArticleDetailProps) {
  const library = useLibrary()
  const { data: article, error, retry } = library.useArticle(id)
  const edit = library.useEdit(id)
  const remove = library.useDelete(id)
  const [isEditing, setIsEditing] = useState<boolean>()

  if (article === undefined) {
    return error ? <Failure error={error} onRetry={retry} /> : <p role="status">Loading the article…</p>
  }
  // The form closes immediately. The article shows the new text, and the old one again if saving fails.
  const save = (fields: Fields) => {
    setIsEditing(false)
    edit.run(fields).catch(ignore)
  }
  if (isEditing) return <FieldsForm fields={article} onSave={save} onCancel={() => setIsEditing(false)} />
  const failure = edit.error ?? remove.error
  return (
    <article>
      <h3>{article.title}</h3>
      <p className="hint">{article.author?.name ?? 'Nobody'}</p>
      <p>{article.content}</p>
      {failure && <p role="alert">Not saved. {firstLineOf(failure)}</p>}
      <div className="actions">
        {/* Gets the focus back when the form is closed. */}
        <button
          type="button"
          className="button"
          autoFocus={isEditing === false}
          onClick={() => setIsEditing(true)}
        >
          Edit
        </button>
        <button
          type="button"
          className="button"
          disabled={remove.isPending}
          onClick={() => remove.run().then(onGone, ignore)}
        >
          Delete
        </button>
        <span role="status">{edit.isPending ? 'Saving…' : ''}</span>
      </div>
    </article>
  )
}

/** The hook returns the error, which is on screen. */
function ignore(): void {}
