import type { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import { createApp, createSSRApp } from 'vue'
import App from './App.vue'
import { createJournalRouter } from './router.js'
import { createSession, sessionKey } from './session.js'

interface JournalOptions {
  readonly controller: Controller
  /** Of the user who comes with a cookie. */
  readonly token: string | undefined
  readonly base: string
  /** Whether a server renders it, or has rendered the page that it takes over. */
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
