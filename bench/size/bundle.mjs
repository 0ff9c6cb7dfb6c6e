import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import { productionConfig } from '../src/production.mjs'
import { lengthsBySource } from './attribution.mjs'
import { bundleWithEsbuild, bundleWithRspack } from './bundlers.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entryId = '\0size-entry.js'
const routeId = 'virtual:size-route.js'

/**
 * The size of a piece of an application.
 *
 * @typedef {object} Size
 * @property {number} minified - bytes, of the bundler that makes the largest
 * @property {number} brotli - bytes, compressed with brotli at its best, of the bundler that makes the largest
 * @property {Readonly<Record<'vite' | 'esbuild' | 'rspack', number>>} byBundler - compressed bytes
 * @property {Map<string, number>} sources - minified bytes by source file in the bundle of Vite, the largest first
 */

/**
 * Bundles some lines of imports and exports like an application's production build, by Vite, esbuild and Rspack, and measures
 * the results.
 *
 * @param {object} piece
 * @param {string} piece.code
 * @param {readonly string[]} [piece.external] - packages to leave out, with all their entries
 * @param {string} [piece.root] - the folder from which packages are resolved. @default this repository
 * @returns {Promise<Size>}
 */
export async function measureBundle({ code, external = [], root: from = root }) {
  const [chunk] = await bundle(entry({ [entryId]: code }, `${from}/size-entry.js`), from, external, false)
  if (chunk === undefined || chunk.map === null) throw new Error('Nothing was built')
  const vite = chunk.code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '')
  const order = { code, root: from, isExternal: isOneOf(external) }
  const scripts = {
    vite,
    esbuild: await bundleWithEsbuild(order),
    rspack: await bundleWithRspack(order),
  }
  const byBundler = /** @type {Size['byBundler']} */ (
    Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, compressedLength(script)]))
  )
  return {
    minified: Math.max(...Object.values(scripts).map((script) => Buffer.byteLength(script))),
    brotli: Math.max(...Object.values(byBundler)),
    byBundler,
    sources: lengthsBySource(vite, { ...chunk.map, sources: chunk.map.sources.map(toPath) }),
  }
}

/**
 * Bundles an application with a lazily loaded route.
 *
 * @param {object} application
 * @param {string} application.code - the code that is loaded first
 * @param {string} application.route - the code of the route
 * @param {readonly string[]} [application.external] - packages that are left out
 * @returns {Promise<{ first: string[], later: string[] }>} the source files of both
 */
export async function splitBundle({ code, route, external = [] }) {
  const plugin = entry(
    { [entryId]: `${code}\nexport const route = () => import('${routeId}')`, [routeId]: route },
    `${root}/size-entry.js`,
  )
  const chunks = await bundle(plugin, root, external, true)
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  /** A chunk with all its imports. */
  const withImports = (chunk, found = new Set()) => {
    if (chunk === undefined || found.has(chunk)) return found
    found.add(chunk)
    for (const name of chunk.imports) withImports(byName.get(name), found)
    return found
  }
  const first = withImports(chunks.find(({ isEntry }) => isEntry))
  return { first: sourcesOf([...first]), later: sourcesOf(chunks.filter((chunk) => !first.has(chunk))) }
}

function sourcesOf(chunks) {
  return chunks.flatMap(({ map }) => map?.sources.map(toPath) ?? [])
}

/** @param {import('vite').Plugin} plugin - supplies the code */
async function bundle(plugin, from, external, codeSplitting) {
  const config = productionConfig([plugin, svelte({ configFile: false })])
  const output = await build({
    ...config,
    root: from,
    build: {
      write: false,
      minify: 'oxc',
      target: 'es2022',
      sourcemap: true,
      modulePreload: false,
      rolldownOptions: {
        input: entryId,
        external: isOneOf(external),
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting },
      },
    },
  })
  return [output].flat()[0].output.flatMap((file) => (file.type === 'chunk' ? file : []))
}

/** @param {Readonly<Record<string, string>>} modules - by id @returns {import('vite').Plugin} */
function entry(modules, importer) {
  return {
    name: 'size-entry',
    enforce: 'pre',
    async resolveId(id, from) {
      if (Object.hasOwn(modules, id)) return id
      return from !== undefined && Object.hasOwn(modules, from)
        ? this.resolve(id, importer, { skipSelf: true })
        : undefined
    },
    load: (id) => modules[id],
  }
}

/** @param {readonly string[]} packages @returns {(id: string) => boolean} true for their entries */
function isOneOf(packages) {
  return (id) => packages.some((name) => id === name || id.startsWith(`${name}/`))
}

/**
 * A source's path from the root of its repository: of our packages that of the file which was built. Source maps are relative to the
 * output folder, one level below.
 */
function toPath(source) {
  const path = source?.replace(/^(\.\.\/)+/, '') ?? null
  const [, home, file] = /^((?:core|bindings\/\w+)\/)dist\/(.*)$/.exec(path ?? '') ?? []
  if (file === undefined) return path
  const written = [file.replace(/\.js$/, '.ts'), file.replace(/\.js$/, '.tsx'), file]
  const found = written.find((each) => existsSync(`${root}/${home}src/${each}`))
  return found === undefined ? path : `${home}src/${found}`
}

function compressedLength(script) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(script, { params }).length
}
