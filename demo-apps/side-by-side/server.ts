import { demoHeader, startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'

export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: [demoHeader('/side-by-side/'), react(), vue(), svelte({ configFile: false })],
    dependencies: [
      'react',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-dom',
      'react-dom/client',
      'vue',
    ],
    // Three frameworks on one page: it is rendered in the browser only.
    isServerRendered: false,
  })
