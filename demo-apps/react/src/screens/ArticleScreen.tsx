import { accountResource, articleResource, formatCount } from '@selfsame/demo-shared/application'
import type { Article } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useCache, useLive } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { Link, useParams } from 'react-router'
import { ArticleFacts } from '../parts/ArticleRow.js'
import { Heading } from '../parts/Heading.js'
import { LoadingArticle } from '../parts/Loading.js'
import { Problem } from '../parts/Problem.js'
import { Comments } from './Comments.js'
import { DeleteArticle } from './DeleteArticle.js'

export function ArticleScreen() {
  const id = Number(useParams()['id'])
  return (
    <AsyncBoundary fallback={<LoadingArticle />} errorFallback={ArticleFailed}>
      <ArticleDetail key={id} id={id} />
    </AsyncBoundary>
  )
}

function ArticleDetail({ id }: { readonly id: number }) {
  const article = useLive(articleResource.get, { id })
  const user = useCache(accountResource.get)
  return (
    <>
      <article className="article">
        <Heading>{article.title}</Heading>
        <div>
          <ArticleFacts article={article} />
          <p className="facts views">{formatCount(article.meta.viewCount, 'view')}</p>
        </div>
        <Content article={article} />
        {user !== undefined && (
          <div className="actions">
            <Link className="button" to={`/articles/${id}/edit`}>
              Edit
            </Link>
            <DeleteArticle id={id} />
          </div>
        )}
      </article>
      <Comments postId={id} />
    </>
  )
}

function Content({ article }: { readonly article: Article }) {
  const paragraphs = article.content.split(/\n{2,}/)
  return (
    <div className="content">
      {paragraphs.map((text, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no names, and no state
        <p key={index}>{text}</p>
      ))}
    </div>
  )
}

/** The error fallback of the screens of one article. */
export function ArticleFailed({ error, reset }: ErrorFallbackProps) {
  return (
    <>
      <Heading>Article</Heading>
      <Problem error={error} reset={reset} />
      <p>
        <Link to="/articles">All articles</Link>
      </p>
    </>
  )
}
