import { articleResource, getFeed, issueResource, userResource } from '@selfsame/demo-shared/application'
import { usePrefetch } from '@selfsame/react'
import { Link, NavLink } from 'react-router'
import { Account } from './Account.js'

export function Banner() {
  return (
    <header className="bar">
      <Link to="/">Tracker</Link>
      <Navigation />
      <Account />
    </header>
  )
}

/** Each link prefetches the first data of its screen when the pointer or the focus enters it. */
function Navigation() {
  const issues = usePrefetch(issueResource.getList)
  const people = usePrefetch(userResource.getList)
  const articles = usePrefetch(articleResource.getPages)
  const feed = usePrefetch(getFeed)
  const links = [
    ['/', 'Board', issues],
    ['/issues', 'Issues', issues],
    ['/people', 'People', people],
    ['/journal', 'Journal', articles],
    ['/articles', 'Articles', articles],
    ['/feed', 'Feed', feed],
  ] as const
  return (
    <nav className="nav" aria-label="Main">
      <ul>
        {links.map(([to, name, { onIntent }]) => (
          <li key={to}>
            <NavLink to={to} end={to === '/'} ref={onIntent}>
              {name}
            </NavLink>
          </li>
        ))}
        <li>
          <a href="/" rel="external">
            Demo
          </a>
        </li>
      </ul>
    </nav>
  )
}
