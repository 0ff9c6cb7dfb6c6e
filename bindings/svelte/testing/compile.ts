import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'

/** The compiler options of an application. */
export interface Mode {
  /** `true` with `experimental.async`. @default false */
  readonly isAsync?: boolean
  /** `true` for a production build. @default false */
  readonly isProduction?: boolean
  /** `true` for a server build. @default false: for browsers */
  readonly isServer?: boolean
}

/**
 * Builds a module and its components as an application does, including its own copy of Svelte. The core is the one that
 * the tests import.
 *
 * @param entry - the path of the module
 * @param folder - the output folder
 * @returns the exports of the module
 */
export async function compile(entry: string, folder: string, mode: Mode): Promise<Record<string, unknown>> {
  return (await import(await buildModule(entry, folder, mode))) as Record<string, unknown>
}

/** The same, without running it. @returns the path of the built module */
export async function buildModule(
  entry: string,
  folder: string,
  { isAsync = false, isProduction = false, isServer = false }: Mode,
): Promise<string> {
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
        // Components of tests may read their `api` prop once.
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
  return join(folder, `${fileName}.js`)
}
