import { Controller } from '@selfsame/core'
import { hydrateFromPage } from '@selfsame/core/hydration'
import { createPage } from './app'

const controller = new Controller()
hydrateFromPage(controller)
createPage(controller).mount('#app')
