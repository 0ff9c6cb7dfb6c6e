import { articleResource, pageSize } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useCancelling, useInfinite, useSuspense } from '@selfsame/react'
import { useDeferredValue, useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ArticleRow } from '../parts/ArticleRow.js'
import { EndOfList } from '../parts/EndOfList.js'
import { Heading } from '../parts/Heading.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'
import { ArticleFilters } from './ArticleFilters.js'

export interface Filters {
  readonly q?: string
  readonly author?: number
}

export function ArticlesScreen() {
  const [params] = useSearchParams()
  const filters = filtersOf(params)
  // Aborts requests for old filters. Outside of the list, which suspends.
  const getPages = useCancelling(articleResource.getPages, filters)
  const wanted = useMemo(() => ({ getPages, filters: filtersOf(params) }), [getPages, params])
  // The old list stays on screen until the next one has loaded.
  const shown = useDeferredValue(wanted)
  return (
    <>
      <div className="screen-head">
        <Heading>Articles</Heading>
        <Link className="button primary" data-icon="plus" to="/articles/new">
          New article
        </Link>
      </div>
      <ArticleFilters filters={filters} />
      <AsyncBoundary fallback={<LoadingRows />} errorFallback={Failed}>
        <ArticleList {...shown} isOld={shown !== wanted} />
      </AsyncBoundary>
    </>
  )
}

function filtersOf(params: URLSearchParams): Filters {
  const q = params.get('q')
  const author = Number(params.get('author'))
  return { ...(q && { q }), ...(author > 0 && { author }) }
}

interface ArticleListProps {
  readonly getPages: typeof articleResource.getPages
  readonly filters: Filters
  readonly isOld: boolean
}

function ArticleList({ getPages, filters, isOld }: ArticleListProps) {
  const articles = useSuspense(getPages, filters)
  const list = useInfinite(getPages, filters, {
    next: (loaded, { pages }) =>
      loaded.length < pages * pageSize ? undefined : { cursor: loaded.at(-1)?.id },
  })
  if (articles.length === 0) {
    return (
      <p className="empty">
        {filters.q === undefined ? 'There are no articles.' : `No article matches “${filters.q}”.`}
      </p>
    )
  }
  return (
    <>
      <ul aria-label="Articles" aria-busy={isOld} className={isOld ? 'list dimmed' : 'list'}>
        {articles.map((article) => (
          <ArticleRow key={article.id} article={article} />
        ))}
      </ul>
      <EndOfList list={list} length={articles.length} />
    </>
  )
}
