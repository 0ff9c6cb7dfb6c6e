import { NetworkError } from '@selfsame/core/rest'
import { useLoading } from '@selfsame/react'
import { useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Heading } from '../parts/Heading.js'
import { Problem } from '../parts/Problem.js'
import { SubmitButton } from '../parts/SubmitButton.js'
import { useSession } from '../session.js'

export function SignInScreen() {
  const { signIn } = useSession()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const hint = useId()
  const [token, setToken] = useState('')
  const {
    run: enter,
    loading: isEntering,
    error,
  } = useLoading(async () => {
    await signIn(token)
    await navigate(params.get('from') ?? '/articles', { replace: true })
  })
  const submit = (event: React.SubmitEvent) => {
    event.preventDefault()
    void enter()
  }
  return (
    <>
      <Heading>Sign in</Heading>
      <form className="form" aria-label="Sign in" onSubmit={submit}>
        <label className="field">
          Token
          <input
            type="text"
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby={hint}
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <p id={hint} className="hint">
          This demo knows user-1 to user-9.
        </p>
        {error !== undefined && <SignInProblem error={error} />}
        <div className="actions">
          <SubmitButton sending="Signing in…" isSending={isEntering}>
            Sign in
          </SubmitButton>
        </div>
      </form>
    </>
  )
}

function SignInProblem({ error }: { readonly error: Error }) {
  const isUnknown = error instanceof NetworkError && error.status === 401
  return isUnknown ? <Problem error={error} title="No user has this token." /> : <Problem error={error} />
}
