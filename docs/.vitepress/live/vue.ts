import { createApp } from 'vue'
import type { Component } from 'vue'
import { dataPlugin } from '@selfsame/vue'
import type { Mount } from './run.js'
import Stage from './Stage.vue'

export const mount: Mount<Component> = (content, { target, props, controller, onError }) => {
  const app = createApp(Stage, { content, given: props, onError })
  if (onError !== undefined) app.config.errorHandler = onError
  app.use(dataPlugin, { controller }).mount(target)
  return () => app.unmount()
}
