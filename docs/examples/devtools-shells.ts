import { Controller } from '@selfsame/core'
import { tanstackPlugin } from '@selfsame/devtools/tanstack'
import { vueDevtoolsPlugin } from '@selfsame/devtools/vue'
import { TanStackDevtoolsCore } from '@tanstack/devtools'
import { createApp } from 'vue'
import App from './start/App.vue'

// The samples of docs/devtools.md about the devtools of others.

export const controller = new Controller()

export function mountShell() {
  const element = document.body.appendChild(document.createElement('div'))
  const shell = new TanStackDevtoolsCore({
    plugins: [tanstackPlugin(controller)],
  })
  shell.mount(element)
}

export function createInspectedApp() {
  const app = createApp(App)
  app.use(vueDevtoolsPlugin, { controller })
  return app
}
