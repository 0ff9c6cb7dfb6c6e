import { accountResource } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useCache, useSuspense } from '@selfsame/react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { accountHooks } from '../resources.js'
import { useSession } from '../session.js'
import { Heading } from './Heading.js'
import { LoadingBlock } from './Loading.js'
import { Failed } from './Problem.js'

/** Shows a screen to a signed-in user, and the way to sign in to others. */
export function SignedInOnly({ children }: { readonly children: ReactNode }) {
  const { token } = useSession()
  const user = useCache(accountResource.get)
  if (user === undefined && token === undefined) return <NotAuthorized />
  return (
    <AsyncBoundary fallback={<LoadingBlock />} errorFallback={Failed}>
      <UserOnTheWay>{children}</UserOnTheWay>
    </AsyncBoundary>
  )
}

/** A page that just opened has a token, but is still fetching the user. */
function UserOnTheWay({ children }: { readonly children: ReactNode }) {
  useSuspense(accountHooks.useGet())
  return children
}

function NotAuthorized() {
  const { pathname } = useLocation()
  return (
    <>
      <Heading>Sign in to see this</Heading>
      <p className="lead">Only signed-in authors can see this page.</p>
      <p>
        <Link className="button primary" to={`/sign-in?from=${encodeURIComponent(pathname)}`}>
          Sign in
        </Link>
      </p>
    </>
  )
}
