import { startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'
import { pagePlugins } from './plugins.js'

/** Serves the page for `npm run demo`. */
export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: pagePlugins(),
    dependencies: [
      'react',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-dom',
      'react-dom/client',
      '@tanstack/react-query',
    ],
    isDevelopment: true,
    // It counts renders in the browser only.
    isServerRendered: false,
  })
