import { formatDate } from '@selfsame/demo-shared/format'
import { memo, Profiler } from 'react'
import { Failure } from './Failure.js'
import type { ArticleSummary, Filter } from './library.js'
import { useLibrary } from './library-context.js'

interface ArticleListProps {
  readonly filter: Filter
  readonly shown: number | 'new' | undefined
  readonly onSelect: (id: number) => void
}

export function ArticleList({ filter, shown, onSelect }: ArticleListProps) {
  const { data, error, isOld, retry } = useLibrary().useArticles(filter)
  if (data === undefined) {
    return error ? <Failure error={error} onRetry={retry} /> : <p role="status">Loading articles…</p>
  }
  return (
    <div>
      <ul className="articles" aria-label="Articles" aria-busy={isOld}>
        {data.map((article) => (
          <Row key={article.id} article={article} isShown={article.id === shown} onSelect={onSelect} />
        ))}
      </ul>
      {data.length === 0 && <p className="hint">No article matches.</p>}
    </div>
  )
}

interface RowProps {
  readonly article: ArticleSummary
  readonly isShown: boolean
  readonly onSelect: (id: number) => void
}

const Row = memo(function Row({ article: { id, title, author, createdAt }, isShown, onSelect }: RowProps) {
  const { counts } = useLibrary()
  return (
    <Profiler id="row" onRender={counts.onRender}>
      <li>
        <button type="button" aria-current={isShown} onClick={() => onSelect(id)}>
          <span>{title}</span>
          <small>
            {author?.name ?? 'Nobody'}, {formatDate(new Date(createdAt))}
          </small>
        </button>
      </li>
    </Profiler>
  )
})
