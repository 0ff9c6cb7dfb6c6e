import { styleText } from './style.mjs'
import { blocksOf, whereOthersWin } from './tables.mjs'

/**
 * @typedef {import('./tables.mjs').Table} Table
 */

/** @param {import('./tables.mjs').Run} run @param {import('../section.mjs').Section} section @returns {string} */
export function toTerminal(run, section) {
  const blocks = blocksOf(run, section)
  const parts = blocks.flatMap(({ scenario, tables, notes, targets }) => [
    styleText('bold', `\n${scenario.id}  ${scenario.title}`),
    styleText('dim', wrap(scenario.text, 110)),
    ...tables.map(tableText),
    ...notes.map((note, index) => styleText('dim', `  [${index + 1}] ${note}`)),
    ...targets.map(
      ({ title, limit, figures }) =>
        `  ${title}, ${limit}: ` +
        figures
          .map(({ size, text, isMet }) =>
            styleText(
              isMet ? 'green' : 'red',
              `${text}${size === '' ? '' : ` at ${size}`}${isMet ? '' : ' (missed)'}`,
            ),
          )
          .join(', '),
    ),
  ])
  const wins = whereOthersWin(run, section, blocks)
  const verdict =
    wins.length === 0
      ? []
      : [styleText('bold', '\nWhere others are ahead of Selfsame'), ...wins.map((win) => `  ${win}`)]
  return [...parts, ...verdict, ''].join('\n')
}

/** @param {Table} table */
function tableText({ metric, columns, rows }) {
  const lines = [
    [metric.title, ...columns.flatMap((column) => [column, ''])],
    ...rows.map(({ name, cells }) => [name, ...cells.flatMap(({ text, ratio = '' }) => [text, ratio])]),
  ]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const shown = lines.map((line, index) => {
    const cells = line.map((text, column) =>
      column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]),
    )
    const text = `  ${cells.join('  ').trimEnd()}`
    if (index === 0) return styleText('underline', text)
    return rows[index - 1].id === 'selfsame' ? styleText('cyan', text) : text
  })
  return [...shown, ''].join('\n')
}

/** @param {string} text @param {number} width */
function wrap(text, width) {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length >= width) lines.push('')
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '  ' : ' '}${word}`
  }
  return lines.join('\n')
}
