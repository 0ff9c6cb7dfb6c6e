import { fileURLToPath } from 'node:url'
import { createServer, type DemoServer, type SeedSizes } from '@selfsame/demo-server'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { createServer as createViteServer, type ViteDevServer } from 'vite'
import { findPort } from './port.js'

const host = '127.0.0.1'

/** Few enough to see on a page how they belong together. */
const pageSizes = {
  users: 9,
  articles: 36,
  comments: 36,
  todos: 9,
  news: 9,
  birthdays: 9,
  feedItems: 9,
} satisfies SeedSizes

export interface DemoOptions {
  /** Of the page; `0` takes any free port. @default 0 */
  readonly port?: number
  /** How many records to seed. */
  readonly sizes?: Partial<SeedSizes>
  /** Whether the page follows changes of the sources. @default true */
  readonly watches?: boolean
}

export interface Demo {
  /** The address of the page. */
  readonly url: string
  /** The address of the REST server, which the page also has under `/rest`. */
  readonly restUrl: string
  close(): Promise<void>
}

/**
 * Starts the page and, in the same process, the REST server that it shows.
 *
 * @throws {PortError} when the port cannot be had
 */
export async function startDemo({ port = 0, sizes, watches = true }: DemoOptions = {}): Promise<Demo> {
  const pagePort = await findPort(port, host)
  // Known beforehand, so that the page is prepared while the database starts.
  const restPort = await findPort(0, host)
  const page = await startPage(pagePort, restPort, watches)
  const rest = await createServer({ host, port: restPort, sizes: { ...pageSizes, ...sizes } }).catch(
    async (error: unknown) => {
      await page.close()
      throw error
    },
  )
  return { url: `http://${host}:${pagePort}`, restUrl: rest.url, close: () => closeBoth(page, rest) }
}

async function startPage(port: number, restPort: number, watches: boolean): Promise<ViteDevServer> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const page = await createViteServer({
    root,
    configFile: false,
    logLevel: 'warn',
    clearScreen: false,
    plugins: [react(), vue(), svelte({ configFile: false })],
    // The packages are read as sources, so that nothing has to be built.
    resolve: { conditions: ['selfsame-source', 'browser', 'module', 'development|production'] },
    optimizeDeps: {
      include: ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom/client', 'vue'],
    },
    server: {
      host,
      port,
      strictPort: true,
      hmr: watches,
      watch: watches ? {} : null,
      proxy: {
        '/rest': {
          target: `http://${host}:${restPort}`,
          rewrite: (path) => path.replace(/^\/rest/, ''),
          ws: true,
        },
      },
      warmup: { clientFiles: ['./src/main.ts'] },
    },
  })
  return page.listen()
}

async function closeBoth(page: ViteDevServer, rest: DemoServer): Promise<void> {
  await Promise.all([page.close(), rest.close()])
}
