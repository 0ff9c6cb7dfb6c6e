import { useLive, withOptions } from '@selfsame/react'
import { articleResource } from '../api.js'
import { findArticles, tabStopOf } from '../articles.js'
import { ArticleRow } from './ArticleRow.js'

interface ArticleListProps {
  readonly filter: string
  readonly selectedId: number | undefined
  readonly onSelect: (id: number) => void
}

export function ArticleList({ filter, selectedId, onSelect }: ArticleListProps) {
  const articles = useLive(withOptions(articleResource.getList, { name: 'React' }))
  const found = findArticles(articles, filter)
  const tabStop = tabStopOf(found, selectedId)

  if (found.length === 0) return <p className="hint">No article matches “{filter}”.</p>
  return (
    <ul className="article-list" aria-label="Articles">
      {found.map((article) => (
        <li key={article.id}>
          <ArticleRow
            article={article}
            isSelected={article.id === selectedId}
            isTabStop={article.id === tabStop}
            onSelect={() => onSelect(article.id)}
          />
        </li>
      ))}
    </ul>
  )
}
