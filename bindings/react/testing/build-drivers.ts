import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Plugin } from 'vite'

/** A server has no `window`. A browser has, also while it renders what a server would. */
const withoutWindow: Plugin = {
  name: 'without-window',
  transform: {
    filter: { id: /bindings\/react\/src\// },
    handler: (code) => code.replaceAll(/typeof window\b/g, '"undefined"'),
  },
}

/**
 * Builds the drivers for a page in a browser, and for what renders it as a server would, each with its own copy of React. The core
 * and the scenarios are those that the tests import.
 *
 * @param folder - the output folder
 * @param reactFolder - the folder that has the packages of React
 * @returns when `page.js` and `server.js` are there
 */
export async function buildDrivers(folder: string, reactFolder: string): Promise<void> {
  const alias = ['react', 'react-dom'].map((name) => ({
    find: new RegExp(`^${name}(?=/|$)`),
    replacement: join(reactFolder, name),
  }))
  for (const fileName of ['page', 'server']) {
    await build({
      configFile: false,
      logLevel: 'warn',
      mode: 'development',
      define: { 'process.env.NODE_ENV': '"development"' },
      plugins: [react(), ...(fileName === 'server' ? [withoutWindow] : [])],
      resolve: { alias, conditions: ['selfsame-source', 'browser', 'module', 'development'] },
      build: {
        outDir: folder,
        emptyOutDir: false,
        minify: false,
        target: 'esnext',
        lib: { entry: join(import.meta.dirname, 'drivers.ts'), formats: ['es'], fileName },
        rolldownOptions: {
          external: [/^@selfsame\/(core|conformance)/, 'vitest'],
          output: { entryFileNames: `${fileName}.js` },
        },
      },
    })
  }
}
