import { readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'

const page = new URL('../../docs/bundle-size.md', import.meta.url)

/**
 * The parts of the typical application by source file, in the order of the page. A file belongs to the first part
 * whose pattern it matches.
 *
 * @type {readonly (readonly [part: string, files: RegExp])[]}
 */
const parts = [
  ['the hooks and the provider', /^bindings\//],
  ['readers: what a component shows, requests and waits for', /^core\/src\/observer\//],
  ['the Controller: requests, races, mutations, errors, middleware', /^core\/src\/controller\//],
  [
    'lists: Collections, and pages that are appended',
    /^core\/src\/(?:lists\/|schema\/(?:collection|page|home)\.|store\/(?:list-node|members)\.)/,
  ],
  ['garbage collection', /^core\/src\/store\/garbage\//],
  ['memoized data: one object for one record', /^core\/src\/(?:store\/view|denormalize)\//],
  ['the cache: tables, transactions, results, ages', /^core\/src\/store\//],
  ['payloads into records', /^core\/src\/normalize\//],
  ['Entity and the other schemas', /^core\/src\/schema\//],
  ['REST: resources, paths, requests, bodies', /^core\/src\/(?:rest|endpoint)\//],
  ['errors: codes, names and places', /^core\/src\/errors\./],
  ['helpers: comparing, copying and naming plain data', /^core\/src\/util\/|^\(bundler\)$/],
]

/** The tolerated difference of a number on the page: in kB, or as a share of the number. */
const tolerance = { kilobytes: 0.15, share: 0.03 }

/**
 * @typedef {object} Measured
 * @property {import('./bundle.mjs').Size} typical
 * @property {ReadonlyMap<string, import('./bundle.mjs').Size>} applications - by their names
 * @property {ReadonlyMap<string, number>} added - the compressed bytes that each import adds to the typical application
 */

/** Writes the measured sizes into the page. @param {Measured} measured */
export async function writeTables(measured) {
  const text = withTables(await readFile(page, 'utf8'), measured)
  await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }))
}

/** @param {Measured} measured @returns {Promise<string[]>} the rows of the page that are wrong, missing or superfluous */
export async function findWrongRows(measured) {
  const text = await readFile(page, 'utf8')
  return compareRows(rowsOf(text), rowsOf(withTables(text, measured)))
}

/**
 * @param {ReadonlyMap<string, number>} written - kB by the first cell
 * @param {ReadonlyMap<string, number>} measured
 */
export function compareRows(written, measured) {
  const wrong = [...measured].flatMap(([name, value]) => {
    const shown = written.get(name)
    if (shown === undefined) return `"${name}" has no row.`
    const allowed = Math.max(tolerance.kilobytes, value * tolerance.share)
    return Math.abs(shown - value) > allowed ? `"${name}" is ${value} kB, and the page says ${shown}.` : []
  })
  const unknown = [...written.keys()].filter((name) => !measured.has(name))
  return [...wrong, ...unknown.map((name) => `"${name}" is measured no more.`)]
}

/** @param {string} text @returns {Map<string, number>} the last number of each row, by the first cell */
export function rowsOf(text) {
  const rows = text.matchAll(/^\| *(\S.*?) *\|(?:.*\|)? *(-?\d+\.\d+) *\|$/gm)
  return new Map([...rows].map(([, name, value]) => [name, Number(value)]))
}

function withTables(text, { typical, applications, added }) {
  return replaceTable(
    replaceTable(
      replaceTable(text, 'applications', applicationsTable(applications)),
      'parts',
      partsTable(typical),
    ),
    'imports',
    toTable(
      ['import', 'adds, kB compressed'],
      [...added].map(([name, bytes]) => [name, kilobytes(bytes)]),
    ),
  )
}

function replaceTable(text, name, table) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/bundle-size.md has no ${begin}`)
  return `${before}${begin}\n\n${table}\n\n${end}${after}`
}

function applicationsTable(applications) {
  return toTable(
    ['kB compressed', 'Vite', 'Rspack', 'esbuild', 'counts'],
    [...applications].map(
      ([
        name,
        {
          brotli,
          byBundler: { vite, rspack, esbuild },
        },
      ]) => [name].concat([vite, rspack, esbuild, brotli].map(kilobytes)),
    ),
  )
}

/** The compressed size of a part is its share of the minified bytes, because parts are compressed together. */
function partsTable({ sources, brotli }) {
  const all = [...sources.values()].reduce((sum, length) => sum + length, 0)
  const lengths = new Map(parts.map(([part]) => [part, 0]))
  for (const [source, length] of sources) {
    const part = parts.find(([, files]) => files.test(source))?.[0]
    if (part === undefined) throw new Error(`${source} is in none of the parts of docs/bundle-size.md`)
    lengths.set(part, lengths.get(part) + length)
  }
  const rows = [...lengths].map(([part, length]) => [
    part,
    kilobytes(length),
    kilobytes((length / all) * brotli),
  ])
  return toTable(
    ['part', 'kB minified', 'kB compressed'],
    [...rows, ['all of it', kilobytes(all), kilobytes(brotli)]],
  )
}

function toTable(head, rows) {
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const kilobytes = (bytes) => (bytes / 1000).toFixed(1)
