import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { build } from 'vite'
import { productionConfig } from '../src/production.mjs'
import { lengthsBySource } from './attribution.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entryId = '\0size-entry.js'

/**
 * What a piece of an application costs its users.
 *
 * @typedef {object} Size
 * @property {number} minified - bytes
 * @property {number} brotli - bytes of that, compressed as well as brotli can
 * @property {Map<string, number>} sources - minified bytes by source file, the largest first
 */

/**
 * Bundles some lines of imports and exports as an application's production build does, and measures the result.
 *
 * @param {object} piece
 * @param {string} piece.code
 * @param {readonly string[]} [piece.external] - packages that are not counted, with all their entries
 * @param {string} [piece.root] - where packages are looked for. @default this repository
 * @returns {Promise<Size>}
 */
export async function measureBundle({ code, external = [], root: from = root }) {
  const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`))
  const config = productionConfig([entry(code, `${from}/size-entry.js`), svelte({ configFile: false })])
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
        output: { format: 'es', codeSplitting: false },
      },
    },
  })
  const chunk = [output].flat()[0].output.find(({ type }) => type === 'chunk')
  if (chunk?.type !== 'chunk' || chunk.map === null) throw new Error('Nothing was built')
  const script = chunk.code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '')
  return {
    minified: Buffer.byteLength(script),
    brotli: compressedLength(script),
    sources: lengthsBySource(script, { ...chunk.map, sources: chunk.map.sources.map(toPath) }),
  }
}

/** @returns {import('vite').Plugin} */
function entry(code, importer) {
  return {
    name: 'size-entry',
    enforce: 'pre',
    async resolveId(id, from) {
      if (id === entryId) return id
      return from === entryId ? this.resolve(id, importer, { skipSelf: true }) : undefined
    },
    load: (id) => (id === entryId ? code : undefined),
  }
}

/** A source's path from the top of its repository: the output, which is not written, would be one folder below. */
function toPath(source) {
  return source?.replace(/^(\.\.\/)+/, '') ?? null
}

function compressedLength(script) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(script, { params }).length
}
