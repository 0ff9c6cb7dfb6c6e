import type { Controller } from '@selfsame/core'
import { accountResource, fetchChoices, initOf } from '@selfsame/demo-shared/application'
import type { Render } from '@selfsame/demo-shared/server'
import { createServerRequest } from '@selfsame/react/ssr'
import { renderToReadableStream } from 'react-dom/server'
import { StaticRouter, matchRoutes } from 'react-router'
import { App } from './App.js'
import { isOfRequest } from './caught-errors.js'
import { routes } from './routes.js'

/** Renders a whole page, not a stream, because its status depends on the fetched data. */
export const render: Render = async ({ path, base, token, fetch, signal }) => {
  let isFound = matchRoutes(routes, path)?.at(-1)?.route.path !== '*'
  const request = createServerRequest({
    signal,
    async fetch(url, init) {
      const response = await fetch(url, init)
      if (response.status === 404) isFound = false
      return response
    },
  })
  try {
    if (token !== undefined) await fetchUser(request.controller, token)
    await fetchChoices(request.controller, path)
    const rendering = await renderToReadableStream(
      <StaticRouter basename={base} location={base + path.slice(1)}>
        <App controller={request.controller} token={token} />
      </StaticRouter>,
      {
        signal,
        onError(error) {
          const digest = request.digestOf(error)
          if (digest === undefined && !isOfRequest(error)) console.error(error)
          return digest
        },
      },
    )
    await rendering.allReady
    return { status: isFound ? 200 : 404, body: request.toWebStream(rendering) }
  } catch (error) {
    request.dispose()
    throw error
  }
}

/** Fetches the user before the render, so that the whole page shows the same user. */
async function fetchUser(controller: Controller, token: string): Promise<void> {
  const get = accountResource.get.extend({
    getHeaders: (headers) => ({ ...headers, ...initOf(token)?.headers }),
  })
  // The readers show the error.
  await controller.fetch(get).catch(() => {})
}
