import { FeedLink, getFeed } from '@selfsame/demo-shared/application'
import type { FeedPost } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useInfinite, useSuspense } from '@selfsame/react'
import { Heading } from '../parts/Heading.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed, Problem } from '../parts/Problem.js'

export function FeedScreen() {
  return (
    <>
      <Heading>Feed</Heading>
      <p className="lead">Links and posts of the team, in one list.</p>
      <AsyncBoundary fallback={<LoadingRows count={10} />} errorFallback={Failed}>
        <Feed />
      </AsyncBoundary>
    </>
  )
}

function Feed() {
  const { results } = useSuspense(getFeed)
  const { error, hasNext, isFetchingNext, fetchNext } = useInfinite(getFeed, undefined, {
    next: ({ cursor }) => cursor && { cursor },
  })
  const more = () => void fetchNext()
  return (
    <>
      <ul aria-label="Feed" className="list">
        {results.map((item) => (
          <FeedRow key={`${item.type} ${item.id}`} item={item} />
        ))}
      </ul>
      {error !== undefined ? (
        <Problem error={error} reset={more} />
      ) : hasNext ? (
        <button type="button" className="button" aria-disabled={isFetchingNext} onClick={more}>
          {isFetchingNext ? 'Loading…' : 'Show more'}
        </button>
      ) : (
        <p className="end">That is all.</p>
      )}
    </>
  )
}

/** Each record is an instance of the class that its `type` names. */
function FeedRow({ item }: { readonly item: FeedLink | FeedPost }) {
  return (
    <li className="row">
      {item instanceof FeedLink ? (
        <>
          <span className="tag">Link</span>
          <a href={item.url}>{item.title}</a>
        </>
      ) : (
        <>
          <span className="tag">Post</span>
          <p>{item.content}</p>
        </>
      )}
    </li>
  )
}
