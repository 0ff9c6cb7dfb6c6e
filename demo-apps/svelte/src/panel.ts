import type { Controller } from '@selfsame/core'
import { mount } from 'svelte'
import Panel from './Panel.svelte'

/** Opens the panel, beside the application: a server renders none. */
export function openPanel(controller: Controller): void {
  mount(Panel, { target: document.body, props: { controller } })
}
