import { formatSize, formatValue } from './format.mjs'

/**
 * @typedef {{ name: string, isOurs: boolean, isFloor: boolean, points: [size: number, value: number][] }} Line
 */

const width = 640
const height = 320
const margin = { left: 70, right: 170, top: 14, bottom: 34 }
const hues = [265, 30, 145, 340, 90, 200, 310, 55, 175, 10, 230, 120]

/**
 * Plots value over size, both logarithmic, so that a cost that is proportional to the size is a straight line.
 *
 * @param {Line[]} lines
 * @param {import('../catalogue.mjs').Metric['unit']} unit
 * @param {string} title
 * @returns {string} SVG; empty if there is nothing to draw
 */
export function plot(lines, unit, title) {
  const drawn = lines
    .map((line) => ({ ...line, points: line.points.filter(([, value]) => value > 0) }))
    .filter(({ points }) => points.length > 0)
  const sizes = [...new Set(drawn.flatMap(({ points }) => points.map(([size]) => size)))].sort(
    (a, b) => a - b,
  )
  if (drawn.length === 0) return ''
  const values = drawn.flatMap(({ points }) => points.map(([, value]) => value))
  const lowest = Math.floor(Math.log10(Math.min(...values)))
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))))
  const y = (value) =>
    margin.top + ((highest - Math.log10(value)) / (highest - lowest)) * (height - margin.top - margin.bottom)
  const inner = width - margin.left - margin.right
  const spread = Math.log(sizes.at(-1) / sizes[0]) || 1
  const x = (size) =>
    margin.left + (sizes.length === 1 ? inner / 2 : (Math.log(size / sizes[0]) / spread) * (inner - 20) + 10)

  const grid = Array.from({ length: highest - lowest + 1 }, (_, step) => {
    const value = 10 ** (lowest + step)
    return `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(value)}" y2="${y(value)}"/>
<text class="tick" x="${margin.left - 8}" y="${y(value) + 4}" text-anchor="end">${formatValue(value, unit)}</text>`
  })
  const ticks = sizes.map(
    (size) =>
      `<text class="tick" x="${x(size)}" y="${height - 12}" text-anchor="middle">${formatSize(size)}</text>`,
  )
  const labels = spreadLabels(drawn.map((line) => y(line.points.at(-1)[1])))
  const shapes = drawn.map((line, index) => {
    const color = colorOf(line, lines)
    const at = line.points.map(([size, value]) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`)
    const [lastX, lastY] = at.at(-1).split(',').map(Number)
    const labelX = width - margin.right + 14
    return `<g class="${line.isOurs ? 'ours' : ''}" style="--line:${color}">
<polyline points="${at.join(' ')}" ${line.isFloor ? 'stroke-dasharray="5 4"' : ''}/>
${at.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="${line.isOurs ? 4 : 3}"/>`).join('')}
<path class="lead" d="M${lastX + 5} ${lastY} L${labelX - 3} ${labels[index]}"/>
<text x="${labelX}" y="${labels[index] + 4}">${line.name}</text></g>`
  })
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
${grid.join('\n')}
${ticks.join('\n')}
${shapes.join('\n')}
</svg>`
}

/** The color of a library in all plots. */
function colorOf({ isOurs, name }, lines) {
  if (isOurs) return 'var(--ours)'
  const index = lines.findIndex((line) => line.name === name)
  return `hsl(${hues[index % hues.length]} 55% var(--lightness))`
}

/** Moves overlapping labels apart. @param {number[]} wanted @returns {number[]} */
function spreadLabels(wanted) {
  const apart = 15
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b])
  const placed = [...wanted]
  for (const [place, index] of order.entries()) {
    const above = order[place - 1]
    placed[index] = Math.max(placed[index], above === undefined ? 10 : placed[above] + apart)
  }
  const overflow = Math.max(0, placed[order.at(-1)] - (height - 10))
  for (const [place, index] of [...order].reverse().entries()) {
    const below = [...order].reverse()[place - 1]
    const limit = below === undefined ? placed[index] - overflow : placed[below] - apart
    placed[index] = Math.min(placed[index], limit)
  }
  return placed
}
