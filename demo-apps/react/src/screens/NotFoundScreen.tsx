import { Link } from 'react-router'
import { Heading } from '../parts/Heading.js'

export function NotFoundScreen() {
  return (
    <>
      <Heading>Page not found</Heading>
      <p className="lead">The address may be misspelt, or the page may have moved.</p>
      <p>
        <Link to="/articles">All articles</Link>
      </p>
    </>
  )
}
