import { useEffect, useRef } from 'react'
import type { ArticleSummary } from '@selfsame/demo-shared'
import { formatDate } from '@selfsame/demo-shared'
import { flashOnChange } from '../page/flash.js'

interface ArticleRowProps {
  readonly article: ArticleSummary
  readonly isSelected: boolean
  readonly isTabStop: boolean
  readonly onSelect: () => void
}

export function ArticleRow({ article, isSelected, isTabStop, onSelect }: ArticleRowProps) {
  const { title, author, createdAt } = article
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => flashOnChange(row.current, `${title} ${author?.name}`), [title, author?.name])

  return (
    <button
      type="button"
      className="row"
      ref={row}
      aria-current={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onClick={onSelect}
    >
      <span className="row-title">{title}</span>
      <span className="row-facts">
        <span>{author?.name ?? 'Nobody'}</span>
        <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>
      </span>
    </button>
  )
}
