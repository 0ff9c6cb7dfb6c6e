import { NetworkError } from '@selfsame/core/rest'
import { fetchChoices } from '@selfsame/demo-shared/application'
import type { Render } from '@selfsame/demo-shared/server'
import { createServerRequest } from '@selfsame/vue/ssr'
import { createJournal } from './app.js'
import { fetchUser } from './session.js'
import { headOf, type TitleContext } from './title.js'

/** Renders a whole page, not a stream, because its status depends on the fetched data. */
export const render: Render = async ({ path, base, token, fetch, signal }) => {
  const request = createServerRequest({ fetch, signal })
  const { controller } = request
  // Fetched first, so that the whole page shows the same user. The readers show an error.
  if (token !== undefined) await fetchUser(controller, token).catch(() => {})
  await fetchChoices(controller, path)
  const { app, router } = createJournal({ controller, token, base, isServerRendered: true })
  await router.push(path)
  const context: TitleContext = {}
  const { html, script, errors } = await request.renderToString(app, context)
  const isMissing = errors.some((error) => error instanceof NetworkError && error.status === 404)
  const isFound = router.currentRoute.value.name !== 'not-found' && !isMissing
  return { status: isFound ? 200 : 404, head: headOf(context), body: html, state: script }
}
