import { useEffect, useRef } from 'react'
import type { ArticleSummary } from '@selfsame/demo-shared'
import { formatDate } from '@selfsame/demo-shared'
import { flashOnChange } from '../page/flash.js'

interface ArticleRowProps {
  readonly article: ArticleSummary
  readonly isSelected: boolean
  readonly onSelect: () => void
}

export function ArticleRow({ article: { title, author, createdAt }, isSelected, onSelect }: ArticleRowProps) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => flashOnChange(row.current, `${title} ${author?.name}`), [title, author?.name])

  return (
    <button type="button" className="row" ref={row} aria-current={isSelected} onClick={onSelect}>
      <span className="row-title">{title}</span>
      <span className="row-facts">
        <span>{author?.name ?? 'Nobody'}</span>
        <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>
      </span>
    </button>
  )
}
