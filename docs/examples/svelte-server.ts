import { createServerRequest } from '@selfsame/svelte/ssr'
import App from './TodoDetail.svelte'

/** Renders a page as a server does, in the name of who asks for it. */
export async function renderPage(id: number, cookie: string): Promise<string> {
  const fetchAsUser: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { cookie } })
  const request = createServerRequest({ fetch: fetchAsUser })
  const { head, body, script } = await request.render(App, { props: { id } })
  return `<head>${head}</head><body><div id="app">${body}</div>${script}</body>`
}
