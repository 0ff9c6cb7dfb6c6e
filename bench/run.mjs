import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildOwn, installPeers } from './src/install.mjs'
import { libraries } from './src/libraries.mjs'
import { describeCommit, describeMachine, versionsOf } from './src/machine.mjs'
import { Progress } from './src/progress.mjs'
import { writeCharts } from './src/report/charts.mjs'
import { toHtml } from './src/report/html.mjs'
import { replaceSections, toMarkdown } from './src/report/markdown.mjs'
import { toTerminal } from './src/report/terminal.mjs'
import { loadSections } from './src/section.mjs'

const help = `npm run bench -- [options]

  --quick                fewer sizes, libraries and rounds: some ten minutes
  --sizes 100,1000       numbers of issues
  --libraries a,b        of ${libraries.map(({ id }) => id).join(', ')}
  --scenarios A,E        some of the scenarios
  --sections store       some of the sections
  --rounds 3             how often everything is measured
  --out folder           where the JSON and the page go (bench/results)
  --write-docs           measures nothing; writes bench/tables.md and the charts of docs/benchmarks.md from the last full run
  --from file            another JSON for --write-docs; if it lacks sections, those of the page stay
  --help                 this text
`
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    libraries: { type: 'string' },
    scenarios: { type: 'string' },
    sections: { type: 'string' },
    rounds: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
    from: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) console.log(help)
else if (options['write-docs']) await writeDocs()
else await measure()

async function measure() {
  const { quick: isQuick } = options
  const progress = new Progress()
  installPeers(progress.say)
  await buildOwn(progress.say)
  const taking = pick(libraries, options.libraries, ({ isQuick: inQuick }) => !isQuick || inQuick === true)
  const sections = pick(await loadSections(), options.sections, () => true)
  const plan = {
    libraries: taking.map(({ id }) => id),
    sizes: list(options.sizes)?.map(Number) ?? (isQuick ? [1000, 10_000] : [100, 1000, 10_000, 100_000]),
    rounds: Number(options.rounds ?? (isQuick ? 2 : 3)),
    isQuick,
    slowMs: isQuick ? 1500 : 3000,
    limitMs: isQuick ? 5000 : 15_000,
    scenarios: list(options.scenarios),
  }
  const packages = [...taking, ...sections.flatMap((section) => section.libraries ?? [])]
  /** @type {import('./src/report/tables.mjs').Run} */
  const run = {
    startedAt: new Date().toISOString(),
    seconds: 0,
    machine: describeMachine(),
    commit: describeCommit(),
    versions: versionsOf(packages.flatMap((library) => library.packages)),
    plan: {
      isQuick,
      rounds: plan.rounds,
      sizes: plan.sizes,
      libraries: plan.libraries,
      load: Number(os.loadavg()[0].toFixed(2)),
    },
    rows: [],
  }
  const start = performance.now()
  for (const section of sections) {
    for await (const row of section.run(plan, progress.say)) run.rows.push(row)
  }
  run.seconds = Math.round((performance.now() - start) / 1000)
  progress.end()
  for (const section of sections) console.log(toTerminal(run, section))
  const restrictions = [options.sizes, options.libraries, options.scenarios, options.sections, options.rounds]
  const isPart = restrictions.some((restriction) => restriction !== undefined)
  // Only a full run replaces the file from which the documentation is written.
  report(run, sections, isPart ? 'part' : isQuick ? 'quick' : 'full')
}

/** @param {import('./src/report/tables.mjs').Run} run */
function report(run, sections, name) {
  mkdirSync(options.out, { recursive: true })
  const json = path.join(options.out, `${name}.json`)
  const html = path.join(options.out, `${name}.html`)
  writeFileSync(json, `${JSON.stringify(run, undefined, 1)}\n`)
  writeFileSync(html, toHtml(run, sections))
  const { machine } = run
  console.log(
    `${run.seconds} s on ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${run.plan.load} before`,
  )
  console.log(`${path.relative(process.cwd(), json)}\n${path.relative(process.cwd(), html)}`)
}

async function writeDocs() {
  const file = options.from ?? path.join(options.out, 'full.json')
  const run = JSON.parse(readFileSync(file, 'utf8'))
  const page = fileURLToPath(new URL('tables.md', import.meta.url))
  const sections = await loadSections()
  const measured = new Set(run.rows.map(({ scenario }) => scenario))
  const isWhole = sections.every(({ scenarios }) => scenarios.some(({ id }) => measured.has(id)))
  const text = isWhole
    ? await toMarkdown(run, sections, page)
    : await replaceSections(readFileSync(page, 'utf8'), run, sections, page)
  writeFileSync(page, text)
  writeCharts()
  console.log(path.relative(process.cwd(), page))
}

/** @template {{ id: string }} Item @param {readonly Item[]} items @param {string | undefined} text @param {(item: Item) => boolean} byDefault */
function pick(items, text, byDefault) {
  const ids = list(text)
  if (ids === undefined) return items.filter(byDefault)
  return ids.map((id) => {
    const found = items.find((item) => item.id === id)
    if (found === undefined)
      throw new Error(`There is no "${id}"; there are ${items.map((item) => item.id).join(', ')}.`)
    return found
  })
}

/** @param {string | undefined} text */
function list(text) {
  return text?.split(',').map((part) => part.trim())
}
