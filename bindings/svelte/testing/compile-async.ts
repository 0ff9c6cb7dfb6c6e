import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'

/**
 * Builds a module and the components that it imports as an application does that turns `experimental.async` on, its
 * own copy of Svelte included. The core stays the one that the tests import.
 *
 * @param entry - the path of the module
 * @param outDir - where to write it to
 */
export async function compileAsync(entry: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'development',
    plugins: [svelte({ configFile: false, compilerOptions: { experimental: { async: true }, dev: true } })],
    resolve: { conditions: ['source', 'browser', 'module', 'development'] },
    build: {
      outDir,
      minify: false,
      target: 'esnext',
      lib: { entry, formats: ['es'], fileName: 'async' },
      rolldownOptions: { external: [/^@selfsame\/(core|conformance)/] },
    },
  })
}
