import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measurePieces } from './budgets.mjs'
import { measureBundle } from './bundle.mjs'
import { additions, frameworks, furtherImports, peers, typical } from './pieces.mjs'

/** The folder in which the compared libraries are installed. */
const peersRoot = fileURLToPath(new URL('../browser', import.meta.url))

/**
 * @typedef {object} Row
 * @property {string} name - of the piece
 * @property {number} [minified] - bytes; absent if `missing` gives the reason
 * @property {number} [brotli] - bytes
 * @property {string} [missing]
 */

/** @returns {Promise<{ rows: Row[], sizes: Map<string, import('./bundle.mjs').Size> }>} `sizes`: those of Selfsame's own pieces */
export async function measureAll() {
  const sizes = await measurePieces()
  const own = [...sizes].map(([name, { minified, brotli }]) => ({ name, minified, brotli }))
  const base = sizes.get('core: Controller, Entity')
  const added = []
  for (const { name, code } of additions) {
    const { minified, brotli } = await measureBundle({ code })
    added.push({ name, minified: minified - base.minified, brotli: brotli - base.brotli })
  }
  return { rows: [...own, ...added, ...(await measurePeers())], sizes }
}

/** @param {ReadonlyMap<string, import('./bundle.mjs').Size>} sizes @returns {Promise<import('./tables.mjs').Measured>} */
export async function measureParts(sizes) {
  const size = sizes.get('react: the typical application')
  const added = new Map()
  for (const { name, code } of furtherImports) {
    const { brotli } = await measureBundle({ code: `${typical('react')}\n${code}`, external: frameworks })
    added.set(name, brotli - size.brotli)
  }
  const applications = new Map(
    [
      'core: Controller, Endpoint, Entity',
      ...['react', 'vue', 'svelte'].flatMap((binding) => [
        `${binding}: the typical application`,
        `${binding}: a whole tracker`,
      ]),
    ].map((name) => [name, sizes.get(name)]),
  )
  return { typical: size, applications, added }
}

async function measurePeers() {
  const rows = []
  for (const piece of peers) {
    const lacks = piece.packages.filter((name) => !existsSync(`${peersRoot}/node_modules/${name}`))
    if (lacks.length > 0) {
      rows.push({
        name: piece.name,
        missing: `${lacks.join(', ')}: not installed (npm ci in bench/browser).`,
      })
      continue
    }
    const { minified, brotli } = await measureBundle({ ...piece, root: peersRoot })
    rows.push({ name: piece.name, minified, brotli })
  }
  return rows
}
