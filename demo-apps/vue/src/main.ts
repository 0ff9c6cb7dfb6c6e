import { Controller } from '@selfsame/core'
import { hydrateFromPage } from '@selfsame/core/hydration'
import { middlewareOfPage, moveBetweenScreens, tokenOf } from '@selfsame/demo-shared/application'
import { startStrip } from '@selfsame/demo-shared/strip'
import { createJournal } from './app.js'

const isServerRendered = document.querySelector('#app')?.firstElementChild !== null
const controller = new Controller({ middleware: middlewareOfPage() })
startStrip(controller, () => import('./panel.js'))
moveBetweenScreens()
if (isServerRendered) hydrateFromPage(controller)

const { app, router } = createJournal({
  controller,
  token: tokenOf(document.cookie),
  base: import.meta.env.BASE_URL,
  isServerRendered,
})
// Before that the router has no screen, so the page would not match the server's HTML.
await router.isReady()
app.mount('#app')
