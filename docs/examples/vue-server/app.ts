import type { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import { createSSRApp } from 'vue'
import App from './App.vue'

/** Makes the app: for each request on the server, and once in the page. */
export function createPage(controller: Controller) {
  return createSSRApp(App).use(dataPlugin, { controller })
}
