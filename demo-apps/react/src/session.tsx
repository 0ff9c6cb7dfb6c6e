import { outboxOf } from '@selfsame/core/outbox'
import { accountResource, cookieOf, initOf } from '@selfsame/demo-shared/application'
import { useController } from '@selfsame/react'
import { createContext, use, useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

interface Session {
  /** The token of the signed-in user; `undefined` if there is none. */
  readonly token: string | undefined
  /** Fetches the user of a token, and stores the token. Rejects if no user has it. */
  readonly signIn: (token: string) => Promise<void>
  /** Removes the user, and empties the cache. */
  readonly signOut: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

interface SessionProviderProps {
  readonly initialToken: string | undefined
  readonly children: ReactNode
}

export function SessionProvider({ initialToken, children }: SessionProviderProps) {
  const controller = useController()
  const [token, setToken] = useState(initialToken)

  const signIn = useCallback(
    async (given: string) => {
      const get = accountResource.get.extend({
        getHeaders: (headers) => ({ ...headers, ...initOf(given)?.headers }),
      })
      await controller.fetch(get)
      document.cookie = cookieOf(given)
      outboxOf(controller).checkScope()
      setToken(given)
    },
    [controller],
  )
  const signOut = useCallback(() => {
    document.cookie = cookieOf(undefined)
    setToken(undefined)
    controller.resetAll()
  }, [controller])

  const session = useMemo(() => ({ token, signIn, signOut }), [token, signIn, signOut])
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('There is no SessionProvider around this component.')
  return session
}
