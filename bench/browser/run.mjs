import { parseArgs } from 'node:util'
import { effortOf, measurePages } from './measure.mjs'
import { missingPackages, pages } from './pages.mjs'
import { toTables } from './report.mjs'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    samples: { type: 'string' },
  },
})

const usual = effortOf(values.quick)
const effort = {
  ...usual,
  rounds: Number(values.rounds ?? usual.rounds),
  samples: Number(values.samples ?? usual.samples),
}

const asked = pages.filter(({ framework, library, isQuick }) =>
  values.only === undefined
    ? isQuick || !values.quick
    : values.only.some((id) => id === framework || id === library),
)
const missing = asked.flatMap((page) => {
  const packages = missingPackages(page)
  const why = `${packages.join(', ')}: not installed (npm ci in bench/browser)`
  return packages.length === 0 ? [] : [{ framework: page.framework, library: page.library, missing: why }]
})
const there = asked.filter((page) => missingPackages(page).length === 0)
const figures = []
for await (const step of measurePages(there, effort, (text) => console.error(text))) figures.push(step)
console.log(
  values.json ? JSON.stringify({ ...effort, figures, missing }, undefined, 2) : toTables(figures, missing),
)
