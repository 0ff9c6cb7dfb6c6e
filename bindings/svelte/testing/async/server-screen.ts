import type { HydratedPage, Screen, ServedPage } from '@selfsame/conformance'
import type { Controller, ControllerOptions } from '@selfsame/core'
import { hydrate as hydrateScreen, serve as serveScreen } from '../server-screen.js'
import ServerPart from './ServerPart.svelte'

export function serve(screen: Screen, options: ControllerOptions): Promise<ServedPage> {
  return serveScreen(screen, options, ServerPart)
}

export function hydrate(
  container: HTMLElement,
  screen: Screen,
  controller: Controller,
): Promise<HydratedPage> {
  return hydrateScreen(container, screen, controller, ServerPart)
}
