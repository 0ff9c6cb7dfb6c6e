import { demoHeader, startViteApplication, type StartApplication } from '@selfsame/demo-shared/server'
import react from '@vitejs/plugin-react'

/** Serves the page for `npm run demo`. */
export const start: StartApplication = (options) =>
  startViteApplication({
    ...options,
    root: import.meta.dirname,
    plugins: [demoHeader('/compare/'), react()],
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
