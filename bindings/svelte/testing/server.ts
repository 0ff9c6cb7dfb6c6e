import { ManualClock } from '@selfsame/conformance/clock'
import { createApi, routeSamples } from '@selfsame/conformance/fixtures'
import { Server } from '@selfsame/conformance/server'
import { Controller } from '@selfsame/core'
import { render } from 'svelte/server'
import ServerPage from './ServerPage.svelte'

/** The Controller sets one to forget what it fetched. */
export const timersOfFetch = 1

/** Fetches what a page needs, and renders it. */
export async function renderFetched() {
  const { api, clock, controller, server } = open()
  await controller.fetch(api.shortLived, { id: 5 })
  const { body: html } = render(ServerPage, { props: { api, controller } })
  const rows = [...controller.store.results.values()].flat()
  return {
    html,
    listeners: rows.reduce((count, row) => count + row.listeners.length, 0),
    retainers: rows.reduce((count, row) => count + row.retainers, 0),
    requests: server.requests,
    timers: clock.timers,
  }
}

/** Renders a page of which nothing was fetched. */
export async function renderUnfetched(): Promise<string> {
  const { api, controller } = open()
  return render(ServerPage, { props: { api, controller } }).body
}

export function open() {
  const clock = new ManualClock()
  const server = new Server(clock)
  routeSamples(server)
  return { api: createApi(server), clock, controller: new Controller({ clock }), server }
}
