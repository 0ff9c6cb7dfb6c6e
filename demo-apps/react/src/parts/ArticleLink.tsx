import { articleResource } from '@selfsame/demo-shared/application'
import type { ArticleSummary } from '@selfsame/demo-shared/application'
import { usePrefetch } from '@selfsame/react'
import { Link } from 'react-router'

/** A link that prefetches its article when the pointer or the focus enters it. */
export function ArticleLink({ article }: { readonly article: ArticleSummary }) {
  const { onIntent } = usePrefetch(articleResource.get, { id: article.id })
  return (
    <Link className="row-title" to={`/articles/${article.id}`} ref={onIntent}>
      {article.title}
    </Link>
  )
}
