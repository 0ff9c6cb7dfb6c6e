import type { Controller } from '@selfsame/core'
import { DataProvider } from '@selfsame/react'
import { useEffect } from 'react'
import { useRoutes } from 'react-router'
import { Frame } from './frame/Frame.js'
import { routes } from './routes.js'
import { SessionProvider } from './session.js'

interface AppProps {
  readonly controller: Controller
  /** The token of the visitor's cookie; `undefined` if there is none. */
  readonly token: string | undefined
}

export function App({ controller, token }: AppProps) {
  const screen = useRoutes(routes)
  // Marks the page as ready: from now on its controls work.
  useEffect(() => document.querySelector('#app')?.setAttribute('data-ready', ''), [])
  return (
    <DataProvider controller={controller}>
      <SessionProvider initialToken={token}>
        <Frame>{screen}</Frame>
      </SessionProvider>
    </DataProvider>
  )
}
