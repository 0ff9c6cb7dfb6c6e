import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import type { InlineConfig } from 'vite'
import type { Mode } from '../compile.js'

const folder = import.meta.dirname

/**
 * Builds the server and the page as an application does, and starts the server in a separate process.
 *
 * @returns its origin, and a function that stops it
 */
export async function start({ isAsync = false, isProduction = false }: Mode) {
  const mode = isProduction ? 'production' : 'development'
  const outDir = join(folder, `../dist/ssr-${mode}${isAsync ? '-async' : ''}`)
  const configOf = (entry: string): InlineConfig => {
    const isServer = entry === 'server.ts'
    const conditions = ['selfsame-source', 'module', mode, ...(isServer ? ['node'] : ['browser'])]
    return {
      configFile: false,
      logLevel: 'warn',
      mode,
      define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
      plugins: [
        svelte({
          configFile: false,
          compilerOptions: { experimental: { async: isAsync }, dev: !isProduction },
        }),
      ],
      resolve: {
        alias: { app: join(folder, isAsync ? '../async/ssr/App.svelte' : 'App.svelte') },
        conditions,
      },
      ssr: { noExternal: true, resolve: { conditions } },
      build: {
        outDir,
        emptyOutDir: false,
        target: 'esnext',
        minify: isProduction,
        ...(isServer && { ssr: true }),
        rolldownOptions: { input: join(folder, entry), output: { entryFileNames: '[name].js' } },
      },
    }
  }
  for (const entry of ['server.ts', 'page.ts']) await build(configOf(entry))
  const child = spawn(process.execPath, ['--expose-gc', join(outDir, 'server.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: mode },
  })
  const [origin] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    origin: String(origin).trim(),
    async end() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
