// UserMenu.tsx
import { useController, useDLE, useLoading } from '@selfsame/react'
import { getMe, isSignedOut, login, logout } from './session.js'

export function UserMenu() {
  const controller = useController()
  const me = useDLE(getMe)
  const { run: signIn, error } = useLoading(async (form: FormData) => {
    const [name, password] = [
      String(form.get('name')),
      String(form.get('password')),
    ]
    await controller.fetch(login, { name, password })
    await controller.fetch(getMe)
  })
  const { run: signOut, error: signOutError } = useLoading(async () => {
    await controller.fetch(logout).finally(() => controller.resetAll())
  })
  if (me.data && !isSignedOut(me.error))
    return (
      <button onClick={() => void signOut()}>Sign out {me.data.name}</button>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void signIn(new FormData(event.currentTarget))
      }}
    >
      <input name="name" aria-label="Name" />
      <input name="password" type="password" aria-label="Password" />
      <button>Sign in</button>
      {error && <p role="alert">{error.message}</p>}
      {signOutError && <p role="alert">The server has not signed you out.</p>}
    </form>
  )
}
