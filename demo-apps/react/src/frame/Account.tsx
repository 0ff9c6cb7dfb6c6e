import { AsyncBoundary, useSuspense } from '@selfsame/react'
import { Link, useNavigate } from 'react-router'
import { accountHooks, avatarHooks } from '../resources.js'
import { useSession } from '../session.js'

/** The signed-in user. */
export function Account() {
  const { token, signOut } = useSession()
  const navigate = useNavigate()
  if (token === undefined) {
    return (
      <div className="account">
        <Link to="/sign-in">Sign in</Link>
      </div>
    )
  }
  const leave = () => {
    signOut()
    void navigate('/sign-in')
  }
  return (
    <div className="account">
      <AsyncBoundary fallback={<span className="avatar" />} errorFallback={Unknown}>
        <CurrentUser />
      </AsyncBoundary>
      <button type="button" className="link-button" onClick={leave}>
        Sign out
      </button>
    </div>
  )
}

function CurrentUser() {
  const { id, name } = useSuspense(accountHooks.useGet())
  return (
    <Link to="/profile">
      <AsyncBoundary fallback={<span className="avatar" />} errorFallback={Unknown}>
        <SmallAvatar id={id} />
      </AsyncBoundary>{' '}
      {name}
    </Link>
  )
}

function SmallAvatar({ id }: { readonly id: number }) {
  const { src } = useSuspense(avatarHooks.useGet(), { id })
  return <img className="avatar" src={src} alt="" />
}

/** The screen shows the error, so the banner does not. */
function Unknown() {
  return <span className="avatar" />
}
