import type { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import { createApp, createSSRApp } from 'vue'
import App from './App.vue'
import { createJournalRouter } from './router.js'
import { createSession, sessionKey } from './session.js'

interface JournalOptions {
  readonly controller: Controller
  /** The token of the visitor's cookie; `undefined` if there is none. */
  readonly token: string | undefined
  readonly base: string
  /** True if a server renders it, or rendered the page that it hydrates. */
  readonly isServerRendered: boolean
}

/** Makes the application: once in a page, and for each request on a server. */
export function createJournal({ controller, token, base, isServerRendered }: JournalOptions) {
  const router = createJournalRouter(base)
  const app = (isServerRendered ? createSSRApp : createApp)(App)
    .use(dataPlugin, { controller })
    .use(router)
    .provide(sessionKey, createSession(controller, token))
  return { app, router }
}
