import { Controller } from '@selfsame/core'
import { middlewareOfPage, moveBetweenScreens, tokenOf } from '@selfsame/demo-shared/application'
import { startStrip } from '@selfsame/demo-shared/strip'
import { hydrateAsItArrives } from '@selfsame/react/ssr'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './App.js'
import { isOfRequest } from './caught-errors.js'

const controller = new Controller({ middleware: middlewareOfPage() })
startStrip(controller, () => import('./panel.js'))
moveBetweenScreens()
const container = document.querySelector('#app')
if (container === null) throw new Error('index.html has no element #app.')

const page = (
  <StrictMode>
    <BrowserRouter basename={import.meta.env.BASE_URL} useTransitions={false}>
      <App controller={controller} token={tokenOf(document.cookie)} />
    </BrowserRouter>
  </StrictMode>
)

// The page shows failed requests to the user, so only other errors are logged.
const onCaughtError = (error: unknown) => isOfRequest(error) || console.error(error)
// The digest of calls that failed on the server. The page has their errors.
const onRecoverableError = (error: unknown) =>
  (error as { readonly digest?: string }).digest === 'selfsame' || reportError(error)

if (container.firstElementChild === null) createRoot(container, { onCaughtError }).render(page)
else {
  hydrateAsItArrives(controller)
  hydrateRoot(container, page, { onCaughtError, onRecoverableError })
}
