import type { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import { SelfsameDevtools } from '@selfsame/vue/devtools'
import { createApp } from 'vue'

/** Opens the panel, beside the application: a server renders none. */
export function openPanel(controller: Controller): void {
  createApp(SelfsameDevtools, { isOpen: true })
    .use(dataPlugin, { controller })
    .mount(document.createElement('div'))
}
