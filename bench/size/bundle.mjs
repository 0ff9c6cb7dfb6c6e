import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import { productionConfig } from '../src/production.mjs'
import { lengthsBySource } from './attribution.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entryId = '\0size-entry.js'
const routeId = 'virtual:size-route.js'

/**
 * The size of a piece of an application.
 *
 * @typedef {object} Size
 * @property {number} minified - bytes
 * @property {number} brotli - bytes, compressed with brotli at its best
 * @property {Map<string, number>} sources - minified bytes by source file, the largest first
 */

/**
 * Bundles some lines of imports and exports like an application's production build, and measures the result.
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
  const script = chunk.code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '')
  return {
    minified: Buffer.byteLength(script),
    brotli: compressedLength(script),
    sources: lengthsBySource(script, { ...chunk.map, sources: chunk.map.sources.map(toPath) }),
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
  const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`))
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
        external: isExternal,
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

/** A source's path from the root of its repository. Source maps are relative to the output folder, one level below. */
function toPath(source) {
  return source?.replace(/^(\.\.\/)+/, '') ?? null
}

function compressedLength(script) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(script, { params }).length
}
