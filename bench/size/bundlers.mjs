import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import * as esbuild from 'esbuild'
import * as svelte from 'svelte/compiler'

// The bundlers beside Vite: each as an application sets it up for production.

/**
 * What is bundled.
 *
 * @typedef {object} Order
 * @property {string} code - lines of imports and exports
 * @property {string} root - the folder from which packages are resolved
 * @property {(id: string) => boolean} isExternal - true for what is left out
 */

const define = { 'process.env.NODE_ENV': '"production"' }
const components = /\.svelte(\.js)?$/

/** @param {string} path @param {string} text @returns {string} JavaScript */
export function compileSvelte(path, text) {
  const options = { filename: path, generate: /** @type {const} */ ('client'), dev: false }
  return (path.endsWith('.js') ? svelte.compileModule : svelte.compile)(text, options).js.code
}

/** @param {Order} order @returns {Promise<string>} a script */
export async function bundleWithEsbuild({ code, root, isExternal }) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    define,
    logLevel: 'error',
    plugins: [
      {
        name: 'size',
        setup(build) {
          build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
            isExternal(path) ? { path, external: true } : undefined,
          )
          build.onLoad({ filter: components }, async ({ path }) => ({
            contents: compileSvelte(path, await readFile(path, 'utf8')),
            loader: 'js',
          }))
        },
      },
    ],
  })
  return outputFiles[0].text
}

/** @param {Order} order @returns {Promise<string>} a script */
export async function bundleWithRspack({ code, root, isExternal }) {
  // A file, from which packages are found as from a file of the application.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'size-'))
  try {
    await writeFile(join(folder, 'entry.js'), code)
    const stats = await run({
      mode: 'production',
      target: ['web', 'es2022'],
      context: root,
      entry: join(folder, 'entry.js'),
      devtool: false,
      performance: false,
      output: { path: folder, filename: 'bundle.js', module: true, library: { type: 'modern-module' } },
      experiments: { outputModule: true },
      externalsType: 'module',
      externals: [
        ({ request = '' }, callback) => (isExternal(request) ? callback(undefined, request) : callback()),
      ],
      resolve: { extensionAlias: { '.js': ['.js', '.ts', '.tsx'] } },
      module: {
        rules: [
          { test: components, use: join(import.meta.dirname, 'svelte-loader.mjs') },
          { test: /\.tsx?$/, loader: 'builtin:swc-loader', options: typescript },
        ],
      },
    })
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
    const problems = [...errors, ...warnings].map(({ message }) => message)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return await readFile(join(folder, 'bundle.js'), 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How the demos are read, which are compared as sources. */
const typescript = {
  jsc: {
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    target: 'es2022',
  },
}

/** @param {import('@rspack/core').Configuration} config @returns {Promise<import('@rspack/core').Stats>} */
function run(config) {
  const compiler = rspack(config)
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => (error ? reject(error) : resolve(stats)))
    })
  })
}
