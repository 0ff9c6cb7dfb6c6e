import { parseArgs } from 'node:util'
import { recordBudgets } from './budgets.mjs'
import { measureAll, measureParts } from './measure.mjs'
import { writeTables } from './tables.mjs'

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
})

const { rows, sizes } = await measureAll()
if (values.record) {
  await recordBudgets(sizes)
  await writeTables(await measureParts(sizes))
}

const { sources } = sizes.get('react: the typical application')
if (values.json) console.log(JSON.stringify({ rows, sources: Object.fromEntries(sources) }, undefined, 2))
else {
  console.log(toTable(rows))
  console.log(`\nWhat the typical application in React is made of:\n\n${toSourcesTable(sources)}`)
}

/** @param {readonly import('./measure.mjs').Row[]} shown */
function toTable(shown) {
  const lines = shown.map(({ name, minified, brotli, missing }) =>
    missing === undefined
      ? `| ${name} | ${kilobytes(minified)} | ${kilobytes(brotli)} |`
      : `| ${name} | ${missing} | |`,
  )
  return ['| kB | minified | brotli |', '| --- | ---: | ---: |', ...lines].join('\n')
}

/** @param {ReadonlyMap<string, number>} lengths */
function toSourcesTable(lengths) {
  const all = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  const lines = [...lengths]
    .slice(0, 30)
    .map(([source, length]) => `| ${source} | ${length} | ${((length / all) * 100).toFixed(1)} |`)
  return ['| source | minified bytes | % |', '| --- | ---: | ---: |', ...lines].join('\n')
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(2)
}
