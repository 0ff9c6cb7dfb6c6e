import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { CompileOptions } from 'svelte/compiler'
import { createServer } from 'vite'

/**
 * Loads a module as a server that renders Svelte does.
 *
 * @param path - in this package, such as `/testing/server.ts`
 * @returns the exports of the module, and a function that stops the Vite server
 */
export async function load<Module>(path: string, compilerOptions: CompileOptions) {
  const server = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    cacheDir: '../../node_modules/.vite/svelte-ssr',
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    plugins: [svelte({ configFile: false, compilerOptions })],
    ssr: { resolve: { conditions: ['selfsame-source', 'module', 'development'] } },
  })
  return { module: (await server.ssrLoadModule(path)) as Module, end: () => server.close() }
}
