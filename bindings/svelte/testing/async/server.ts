import { render } from 'svelte/server'
import { open } from '../server.js'
import AwaitedPage from './AwaitedPage.svelte'

/** Renders a page that awaits data which was not fetched before. */
export async function renderAwaited(): Promise<{ html: string; requests: readonly string[] }> {
  const { api, controller, server } = open()
  const { body } = await render(AwaitedPage, { props: { controller, endpoint: api.todo.get } })
  return { html: body, requests: server.requests }
}
