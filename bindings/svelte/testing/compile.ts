import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'

/** How an application compiles its components. */
export interface Mode {
  /** Whether `experimental.async` is on. @default false */
  readonly isAsync?: boolean
  /** Whether it is built for production. @default false */
  readonly isProduction?: boolean
  /** Whether it is built for a server. @default false: for browsers */
  readonly isServer?: boolean
}

/**
 * Builds a module and the components that it imports as an application does, its own copy of Svelte included. The core
 * stays the one that the tests import.
 *
 * @param entry - the path of the module
 * @param folder - where to write it to
 * @returns what the module exports
 */
export async function compile(
  entry: string,
  folder: string,
  { isAsync = false, isProduction = false, isServer = false }: Mode,
): Promise<Record<string, unknown>> {
  const mode = isProduction ? 'production' : 'development'
  const fileName = `${mode}${isAsync ? '-async' : ''}${isServer ? '-server' : ''}`
  const conditions = ['selfsame-source', isServer ? 'node' : 'browser', 'module', mode]
  await build({
    configFile: false,
    logLevel: 'warn',
    mode,
    plugins: [
      svelte({
        configFile: false,
        // Components of tests may take their `api` once.
        onwarn: (warning, warn) => {
          if (warning.code !== 'state_referenced_locally') warn?.(warning)
        },
        compilerOptions: { experimental: { async: isAsync }, dev: !isProduction },
      }),
    ],
    resolve: {
      alias: { selfsame: join(import.meta.dirname, '../src/index.ts') },
      conditions,
    },
    ...(isServer && { ssr: { noExternal: true, resolve: { conditions } } }),
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      ssr: isServer,
      target: 'esnext',
      lib: { entry, formats: ['es'], fileName },
      rolldownOptions: {
        external: [/^@selfsame\/(core|conformance)/],
        output: { entryFileNames: `${fileName}.js` },
      },
    },
  })
  return (await import(join(folder, `${fileName}.js`))) as Record<string, unknown>
}
