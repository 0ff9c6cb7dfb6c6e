import { Controller } from '@selfsame/core'
import { render } from 'svelte/server'
import App from './ServerPage.svelte'
import { todoResource } from './api.js'

/** Renders a page as a server does: what it shows is fetched before. */
export async function renderPage(): Promise<string> {
  const controller = new Controller()
  await controller.fetch(todoResource.get, { id: 5 })
  const { body } = render(App, { props: { controller } })
  return body
}
