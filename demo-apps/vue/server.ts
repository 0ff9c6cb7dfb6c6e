import { startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'
import vue from '@vitejs/plugin-vue'

/** Serves this application from its sources. */
export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: [vue()],
    dependencies: ['vue', 'vue-router'],
  })
