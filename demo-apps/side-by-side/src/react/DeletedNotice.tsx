import { useEffect, useRef } from 'react'
import { useLoading } from '@selfsame/react'
import type { Article } from '@selfsame/demo-shared'
import { takeFocus } from '../page/focus.js'
import { Problem } from './Problem.js'

interface DeletedNoticeProps {
  readonly article: Article
  readonly onUndo: (article: Article) => Promise<void>
}

export function DeletedNotice({ article, onUndo }: DeletedNoticeProps) {
  const { run: undo, loading: isUndoing, error } = useLoading(() => onUndo(article))
  const undoButton = useRef<HTMLButtonElement>(null)
  useEffect(() => takeFocus(undoButton.current), [])

  return (
    <div className="notice">
      <p role="status">“{article.title}” is deleted.</p>
      <button
        type="button"
        className="button"
        ref={undoButton}
        aria-disabled={isUndoing}
        onClick={() => isUndoing || undo()}
      >
        Undo
      </button>
      {error && (
        <div className="form-error" role="alert">
          <Problem error={error} />
        </div>
      )}
    </div>
  )
}
