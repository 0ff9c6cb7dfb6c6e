import { startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'
import { svelte } from '@sveltejs/vite-plugin-svelte'

/** Serves this application from its sources. */
export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: [svelte({ configFile: false })],
    dependencies: [],
  })
