import type { Controller } from '@selfsame/core'
import { accountResource, fetchChoices, initOf } from '@selfsame/demo-shared/application'
import type { Render } from '@selfsame/demo-shared/server'
import { createServerRequest } from '@selfsame/svelte/ssr'
import App from './App.svelte'
import { findScreen } from './routes.js'

/** Renders a page. Its status depends on the fetched data. */
export const render: Render = async ({ path, base, token, fetch, signal }) => {
  let isFound = findScreen(new URL(path, 'http://page').pathname).isFound
  const request = createServerRequest({
    signal,
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (response.status === 404) isFound = false
      return response
    },
  })
  const { controller } = request
  if (token !== undefined) await fetchUser(controller, token)
  await fetchChoices(controller, path)
  const url = new URL(base + path.slice(1), 'http://page')
  const { head, body, script } = await request.render(App, { props: { controller, base, url, token } })
  return { status: isFound ? 200 : 404, head, body: body + script }
}

/** Fetches the user before the render, so that the whole page shows the same user. */
async function fetchUser(controller: Controller, token: string): Promise<void> {
  const get = accountResource.get.extend({
    getHeaders: (headers) => ({ ...headers, ...initOf(token)?.headers }),
  })
  // The readers show the error.
  await controller.fetch(get).catch(() => {})
}
