import { articleResource } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useSuspense } from '@selfsame/react'
import { Link } from 'react-router'
import { ArticleRow } from '../parts/ArticleRow.js'
import { Heading } from '../parts/Heading.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'

const screens = [
  ['/articles', 'All articles', 'Scroll, filter and search as you type.'],
  ['/feed', 'The feed', 'Links and posts in one list.'],
  ['/birthdays', 'Upcoming birthdays', 'Two calls, joined in the cache.'],
  ['/gallery', 'The gallery', 'Pictures that appear fully decoded.'],
  ['/graphql', 'By GraphQL', 'The same records, fetched by GraphQL.'],
  ['/profile', 'Your profile', 'Sign in and upload a picture.'],
] as const

export function HomeScreen() {
  return (
    <>
      <Heading>Journal</Heading>
      <p className="lead">
        A small journal with its own server. Every screen can show what another screen has loaded.
      </p>
      <section aria-labelledby="latest">
        <h2 id="latest">Latest articles</h2>
        <AsyncBoundary fallback={<LoadingRows count={3} />} errorFallback={Failed}>
          <LatestArticles />
        </AsyncBoundary>
      </section>
      <section aria-labelledby="more">
        <h2 id="more">Explore</h2>
        <ul className="cards" aria-labelledby="more">
          {screens.map(([to, name, sentence]) => (
            <li key={to} className="card">
              <Link to={to}>{name}</Link>
              <p>{sentence}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function LatestArticles() {
  const articles = useSuspense(articleResource.getPages)
  return (
    <ul className="list" aria-labelledby="latest">
      {articles.slice(0, 3).map((article) => (
        <ArticleRow key={article.id} article={article} />
      ))}
    </ul>
  )
}
