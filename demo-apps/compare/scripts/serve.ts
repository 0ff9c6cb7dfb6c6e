import { fileURLToPath } from 'node:url'
import { createServer } from '@selfsame/demo-server'
import { applicationSizes } from '@selfsame/demo-shared/server'
import { createServer as createViteServer } from 'vite'
import { pagePlugins } from '../plugins.js'

const host = '127.0.0.1'

export interface ServedPage {
  /** The URL of the page. */
  readonly url: string
  /** The URL of the REST server. */
  readonly restUrl: string
  close(): Promise<void>
}

/**
 * Serves the page, and the REST server that it shows.
 *
 * @param port - of the page; `0` takes any free port
 */
export async function servePage(port = 0): Promise<ServedPage> {
  const rest = await createServer({ sizes: applicationSizes })
  const vite = await createViteServer({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    clearScreen: false,
    plugins: pagePlugins(),
    // Imports the packages' sources, so that they need no build.
    resolve: { conditions: ['selfsame-source', 'browser', 'module', 'development|production'] },
    optimizeDeps: {
      include: [
        'react',
        'react/jsx-runtime',
        'react/jsx-dev-runtime',
        'react-dom/client',
        '@tanstack/react-query',
      ],
    },
    server: {
      host,
      port,
      proxy: { '/rest': { target: rest.url, rewrite: (path) => path.replace(/^\/rest/, '') } },
    },
  })
  await vite.listen()
  const address = vite.httpServer?.address()
  const pagePort = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host}:${pagePort}/`,
    restUrl: rest.url,
    close: async () => {
      await Promise.all([vite.close(), rest.close()])
    },
  }
}
