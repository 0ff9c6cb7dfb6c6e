import { formatDate } from '@selfsame/demo-shared/application'
import type { ArticleSummary } from '@selfsame/demo-shared/application'
import { ArticleLink } from './ArticleLink.js'

export function ArticleRow({ article }: { readonly article: ArticleSummary }) {
  return (
    <li className="row">
      <ArticleLink article={article} />
      <ArticleFacts article={article} />
    </li>
  )
}

export function ArticleFacts({ article }: { readonly article: ArticleSummary }) {
  const { author, createdAt } = article
  return (
    <p className="facts">
      {author?.name ?? 'Unknown author'} · {formatDate(createdAt)}
    </p>
  )
}
