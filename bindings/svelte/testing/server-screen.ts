import type { HydratedPage, Screen, ServedPage } from '@selfsame/conformance'
import type { Controller, ControllerOptions } from '@selfsame/core'
import { flushSync, tick, unmount } from 'svelte'
import type { ComponentProps } from 'svelte'
import { createServerRequest, hydratePage } from '../src/ssr.js'
import ServerScreen from './ServerScreen.svelte'

type Part = ComponentProps<typeof ServerScreen>['Part']

/** Renders a page, compiled for a server. */
export async function serve(screen: Screen, options: ControllerOptions, Part?: Part): Promise<ServedPage> {
  const request = createServerRequest(options)
  const { body, script } = await request.render(ServerScreen, { props: propsOf(screen, [], Part) })
  return { html: `<div>${body}</div>${script}`, controller: request.controller }
}

/** Hydrates such a page, compiled for browsers. */
export async function hydrate(
  container: HTMLElement,
  screen: Screen,
  controller: Controller,
  Part?: Part,
): Promise<HydratedPage> {
  const resets: (() => void)[] = []
  const target = container.firstElementChild as Element
  // happy-dom splits a text at a `>`, which browsers do not.
  target.normalize()
  const { component } = hydratePage(ServerScreen, {
    target,
    controller,
    props: propsOf(screen, resets, Part),
  })
  flushSync()
  await tick()
  return {
    // Svelte reports a hydration mismatch on the console.
    failures: [],
    settle,
    async retry(part) {
      resets[part]?.()
      await settle()
    },
    close: () => unmount(component),
  }
}

function propsOf(screen: Screen, resets: (() => void)[], Part: Part): ComponentProps<typeof ServerScreen> {
  return { screen, resets, ...(Part !== undefined && { Part }) }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    flushSync()
    await tick()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
