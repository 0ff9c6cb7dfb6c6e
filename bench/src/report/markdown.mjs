import { format, resolveConfig } from 'prettier'
import { analysis } from '../analysis.mjs'
import { libraries as storeLibraries } from '../libraries.mjs'
import { aboutAnswers, blocksOf, whereOthersWin } from './tables.mjs'

/**
 * @param {import('./tables.mjs').Run} run
 * @param {import('../section.mjs').Section[]} sections
 * @param {string} file - the path of the page, which decides its format
 * @returns {Promise<string>} the page of the documentation
 */
export async function toMarkdown(run, sections, file) {
  const { machine, plan } = run
  const text = `# Benchmark tables

<!-- Written by \`npm run bench -- --write-docs\`: change bench/src/report/markdown.mjs instead. -->

Every figure of the benchmark. [Benchmarks](../docs/benchmarks.md) has the short version, with charts.

The tables compare what Selfsame costs with the libraries that you might use instead, each used as its documentation says, and with a
store written by hand for exactly this data. Measured on ${run.startedAt.slice(0, 10)}: ${machine.cpu},
${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}; ${plan.rounds} rounds in
${run.seconds} s${run.commit === '' ? '' : `; commit ${run.commit}`}. The load of the machine before the run was ${plan.load}.${run.remark === undefined ? '' : ` ${run.remark}`}

## Repeat it

\`\`\`sh
npm ci
npm run bench             # all of it
npm run bench -- --quick  # two sizes, five libraries: ten minutes
npm run bench -- --help   # all options, and how this page is written
\`\`\`

The first run installs the libraries from \`bench/package-lock.json\`. A run prints its tables and writes them to \`bench/results\`, as JSON
and as a page with plots.

## Read it

- The records are issues with twelve fields, including a user (one of a hundred) and two labels. Each column is a number of issues.
- A figure is the median of the rounds. The ratio next to it compares with Selfsame: above 1 is slower or larger than Selfsame, **below 1
  is better**. Differences below a factor of 1.3 are often noise.
- Each library is checked: the list must have all members, the change must be visible, and the reader must be notified. "n/a" means that
  the library does not do this, and gives the reason.
- p is the time of \`JSON.parse\` for the same text in the same process. Every figure in which text is parsed includes it.
- A library that does not normalize updates its lists by hand, as its documentation says. An application must write that code for each list.
  The figures do not count it.
${sections.map((section) => sectionText(run, section)).join('\n')}
## Who is compared

| library | keeps | versions | used as |
| --- | --- | --- | --- |
${storeLibraries
  .filter(({ id }) => plan.libraries.includes(id))
  .map(({ name, keeps, packages, use }) => {
    const versions = packages.map((one) => `\`${one}\` ${run.versions[one] ?? ''}`).join(', ')
    return `| ${name} | ${keeps} | ${versions} | ${use} |`
  })
  .join('\n')}
`
  return format(text, { ...(await resolveConfig(file)), filepath: file })
}

/**
 * Writes the sections that a later run measured into the page. The other sections stay as they are.
 *
 * @param {string} page - the page of the documentation
 * @param {import('./tables.mjs').Run} run
 * @param {import('../section.mjs').Section[]} sections - all, in the order of the page
 * @param {string} file - the path of the page, which decides its format
 * @returns {Promise<string>}
 */
export async function replaceSections(page, run, sections, file) {
  const parts = page.split(/^(?=## )/m)
  const following = [...sections.map(({ title }) => title), 'Who is compared']
  for (const [index, section] of sections.entries()) {
    const text = sectionText(run, section, aboutRun(run))
    if (text === '') continue
    const isFound = parts.some((part) => titleOf(part) === section.title)
    const rest = isFound ? following.slice(index) : following.slice(index + 1)
    const at = parts.findIndex((part) => rest.includes(titleOf(part)))
    parts.splice(at, isFound ? 1 : 0, `${text.trim()}\n\n`)
  }
  return format(parts.join(''), { ...(await resolveConfig(file)), filepath: file })
}

/** The title of a section of the page. */
function titleOf(part) {
  return part.slice('## '.length).split('\n', 1)[0]
}

/** Says when and where a section was measured that is from another run than the page. */
function aboutRun({ startedAt, machine, plan, commit, remark }) {
  const rounds = plan.rounds === 1 ? 'one round' : `${plan.rounds} rounds`
  return `Measured in a run of its own on ${startedAt.slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${rounds}; commit ${commit}. The load of the machine before the run was ${plan.load}.${remark === undefined ? '' : ` ${remark}`}\n\n`
}

/** @param {string} [about] - about the run, if it is not that of the page */
function sectionText(run, section, about = '') {
  const blocks = blocksOf(run, section)
  if (blocks.length === 0) return ''
  const wins = whereOthersWin(run, section, blocks)
  const verdict =
    wins.length === 0
      ? 'Nowhere in this run was one of them clearly ahead of Selfsame.'
      : wins.map((win) => `- ${win}`).join('\n')
  return `
## ${section.title}

${section.text}

${about}${librariesText(run, section)}### Where others are ahead of Selfsame

${section.whoIsAhead === undefined ? `A ratio below 1: 0.50x takes half of what Selfsame takes. ${section.namesLibraries ? '' : aboutAnswers(run)}\n\n` : ''}${verdict}

${targetText(blocks)}
${blocks.map(blockText).join('\n')}`
}

/** Says who is compared in a section that has its own libraries. */
function librariesText({ versions }, { libraries, namesLibraries }) {
  if (libraries === undefined || namesLibraries !== true) return ''
  const lines = libraries.map(({ name, packages, use }) => {
    const known = packages.filter((one) => versions[one]).map((one) => `\`${one}\` ${versions[one]}`)
    return `- **${name}**: ${[...known, use].join('; ')}`
  })
  return `${lines.join('\n')}\n\n`
}

function targetText(blocks) {
  const lines = blocks.flatMap(({ scenario, targets }) =>
    targets.map(({ title, limit, figures }) => {
      const shown = figures.map(({ size, text, isMet }) => {
        const figure = `${text}${size === '' ? '' : ` at ${size}`}`
        return isMet ? figure : `**${figure}, missed**`
      })
      return `| ${scenario.id} | ${title} | ${limit} | ${shown.join(', ')} |`
    }),
  )
  if (lines.length === 0) return ''
  return `### What Selfsame is held to

"x floor": times the hand-written store.

| scenario | what | limit | measured |
| --- | --- | --- | --- |
${lines.join('\n')}
${missedText(blocks)}`
}

/** The analyses of the targets that this run misses. */
function missedText(blocks) {
  const texts = blocks
    .filter(({ targets }) => targets.some(({ figures }) => figures.some(({ isMet }) => !isMet)))
    .flatMap(({ scenario: { id } }) => (id in analysis ? [`- **${id}**: ${analysis[id]}`] : []))
  return texts.length === 0 ? '' : `\nWhat is missed, and why:\n\n${texts.join('\n')}\n`
}

function blockText({ scenario, tables, notes }) {
  const remarks = notes.map((note, index) => `\\[${index + 1}\\] ${note}`).join('  \n')
  return `
### ${scenario.id}: ${scenario.title}

${scenario.text}

${tables.map(tableText).join('\n\n')}
${remarks === '' ? '' : `\n${remarks}\n`}`
}

function tableText({ metric, columns, rows }) {
  const body = rows.map(({ id, name, cells }) => {
    const shown = cells.map(({ text, ratio, mark }) => {
      const withRatio = ratio === undefined ? text : `${text} (${ratio})`
      return mark === 'faster' ? `**${withRatio}**` : withRatio.replaceAll(/[[\]]/g, String.raw`\$&`)
    })
    return `| ${id === 'selfsame' ? `**${name}**` : name} | ${shown.join(' | ')} |`
  })
  return `| ${metric.title} | ${columns.join(' | ')} |
| --- | ${columns.map(() => '---:').join(' | ')} |
${body.join('\n')}`
}
