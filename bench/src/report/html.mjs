import { libraries as storeLibraries } from '../libraries.mjs'
import { formatSize } from './format.mjs'
import { plot } from './plot.mjs'
import { Summary } from './summary.mjs'
import { aboutAnswers, blocksOf, whereOthersWin } from './tables.mjs'

/**
 * @typedef {import('./tables.mjs').Run} Run
 * @typedef {import('./tables.mjs').Block} Block
 * @typedef {import('../section.mjs').Section} Section
 */

/** @param {Run} run @param {Section[]} sections @returns {string} a self-contained page */
export function toHtml(run, sections) {
  const summary = new Summary(run.rows)
  const { machine, plan } = run
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Selfsame: benchmarks</title>
<style>${style}</style>
<main>
<h1>Selfsame: benchmarks</h1>
<p>${escape(run.startedAt.slice(0, 16).replace('T', ' '))} UTC, ${escape(machine.cpu)}, ${machine.cores} cores,
${machine.memoryGb} GB, ${escape(machine.system)}, Node ${escape(machine.node)}; ${plan.rounds} rounds in
${run.seconds} s; load before: ${plan.load}${run.commit === '' ? '' : `; commit ${escape(run.commit)}`}.
Figures are medians of the rounds; point at one for the lowest and the highest. The number beside it is its ratio to Selfsame: more than 1 is
slower or larger than Selfsame; <span class="faster">less</span> is ahead of it.</p>
${sections.map((section) => sectionHtml(run, summary, section)).join('\n')}
<h2>Who is compared</h2>
<table class="plain"><tbody>
${storeLibraries
  .filter(({ id }) => plan.libraries.includes(id))
  .map(({ name, packages, use }) => {
    const versions = packages.map((one) => `${escape(one)} ${escape(run.versions[one] ?? '')}`).join('<br>')
    return `<tr><th>${escape(name)}</th><td>${versions}</td><td>${inline(use)}</td></tr>`
  })
  .join('\n')}
</tbody></table>
</main>
</html>
`
}

/** @param {Run} run @param {Summary} summary @param {Section} section */
function sectionHtml(run, summary, section) {
  const blocks = blocksOf(run, section)
  if (blocks.length === 0) return ''
  const wins = whereOthersWin(run, section, blocks)
  return `<h2>${escape(section.title)}</h2>
<p>${inline(section.text)}</p>
${wins.length === 0 ? '' : `<details open><summary>Where others are ahead of Selfsame</summary><p>${escape(aboutAnswers(run))}</p><ul>${wins.map((win) => `<li>${inline(win)}</li>`).join('')}</ul></details>`}
${blocks.map((block) => blockHtml(block, summary)).join('\n')}`
}

/** @param {Block} block @param {Summary} summary */
function blockHtml({ scenario, tables, notes, targets }, summary) {
  const remarks = notes.map((note) => `<li>${inline(note)}</li>`).join('')
  const sizes = summary.sizesOf(scenario.id)
  return `<section id="${escape(scenario.id)}">
<h3>${escape(scenario.id)} · ${escape(scenario.title)}</h3>
<p>${inline(scenario.text)}</p>
${tables.map((table, index) => tableHtml(table, index === 0 ? plotOf(scenario, table, sizes, summary) : '')).join('\n')}
${remarks === '' ? '' : `<ol class="notes">${remarks}</ol>`}
${targets.length === 0 ? '' : targetsHtml(targets)}
</section>`
}

function plotOf(scenario, { metric, rows }, sizes, summary) {
  if (sizes.length < 2 || metric.isFact) return ''
  const lines = rows.map(({ id, name }) => ({
    name: escape(name),
    isOurs: id === 'selfsame',
    isFloor: id === 'floor',
    points: sizes.flatMap((size) => {
      const value = summary.value(scenario.id, metric.id, id, size)
      return value === undefined ? [] : [/** @type {[number, number]} */ ([size, value])]
    }),
  }))
  const about = sizes.map(formatSize).join(', ')
  return plot(lines, metric.unit, escape(`${scenario.title}: ${metric.title}, at ${about}`))
}

/** @param {import('./tables.mjs').Table} table @param {string} drawing */
function tableHtml({ metric, columns, rows }, drawing) {
  const head = columns.map((column) => `<th colspan="2">${column}</th>`).join('')
  const body = rows.map(({ id, name, cells }) => {
    const shown = cells.map(
      ({ text, ratio = '', mark = '', title = '' }) =>
        `<td class="${mark}" title="${escape(title)}">${escape(text)}</td><td class="ratio ${mark}">${ratio}</td>`,
    )
    return `<tr class="${id === 'selfsame' ? 'ours' : ''}"><th>${escape(name)}</th>${shown.join('')}</tr>`
  })
  return `${drawing}
<div class="scroll"><table><thead><tr><th>${escape(metric.title)}</th>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div>`
}

function targetsHtml(targets) {
  const items = targets.map(({ title, limit, figures }) => {
    const shown = figures.map(
      ({ size, text, isMet }) =>
        `<span class="${isMet ? 'met' : 'missed'}">${escape(text)}${size === '' ? '' : ` at ${size}`}${isMet ? '' : ' (missed)'}</span>`,
    )
    return `<li>${escape(title)}, ${escape(limit)}: ${shown.join(', ')}</li>`
  })
  return `<details><summary>What Selfsame is held to</summary><ul>${items.join('')}</ul></details>`
}

/** @param {string} text */
function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Text in which \`code\` is marked. @param {string} text */
function inline(text) {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `
:root { color-scheme: light dark; --ink: #1d1d22; --paper: #fff; --faint: #8a8a94; --rule: #dcdce2; --ours: #c2185b; --lightness: 42%; --good: #0a7a3c; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ee; --paper: #17171b; --faint: #8f8f9c; --rule: #34343c; --ours: #ff6fa5; --lightness: 66%; --good: #5fd18d; --bad: #ff8a80 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 62rem; margin: auto; padding: 2rem 1rem 4rem }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--rule) }
h3 { margin-top: 2.5rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0 }
th, td { padding: .15rem .6rem; text-align: right; white-space: nowrap; font-weight: normal }
th:first-child { text-align: left }
thead th { border-bottom: 1px solid var(--rule); color: var(--faint) }
.plain th, .plain td { text-align: left; vertical-align: top; white-space: normal; border-bottom: 1px solid var(--rule) }
tr.ours, svg .ours text { font-weight: 600 }
tr.ours { color: var(--ours) }
.ratio, .missing { color: var(--faint) }
td.faster, .faster, .met { color: var(--good) }
.missed { color: var(--bad) }
.notes { color: var(--faint); font-size: .85rem; margin-top: -.5rem }
svg { width: 100%; max-width: 46rem; font-size: 11px }
svg .grid { stroke: var(--rule) }
svg .tick { fill: var(--faint) }
svg g polyline { fill: none; stroke: var(--line); stroke-width: 1.5 }
svg g.ours polyline { stroke-width: 3 }
svg g circle, svg g text { fill: var(--line) }
svg .lead { stroke: var(--line); stroke-width: .6; fill: none; opacity: .5 }
`
