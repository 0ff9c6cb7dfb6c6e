/** @typedef {import('../catalogue.mjs').Metric['unit']} Unit */

/** @param {number} value @param {Unit | 'p' | 'x' | 'x floor'} unit @returns {string} with three significant digits, in a suitable unit */
export function formatValue(value, unit) {
  if (unit === 'us') return formatTime(value)
  if (unit === 'ns') return formatTime(value / 1000)
  if (unit === 'ms') return formatTime(value * 1000)
  if (unit === 'count') return digits(value)
  if (unit === 'p') return `${digits(value)} p`
  if (unit === 'x' || unit === 'x floor') return `${digits(value)} x`
  return `${digits(value)} ${unit}`
}

/** @param {number} us */
function formatTime(us) {
  if (us < 1) return `${digits(us * 1000)} ns`
  if (us < 1000) return `${digits(us)} us`
  if (us < 1e6) return `${digits(us / 1000)} ms`
  return `${digits(us / 1e6)} s`
}

/** @param {number} value */
function digits(value) {
  if (Number.isInteger(value)) return value.toLocaleString('en')
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(size >= 10 ? 1 : 2)
}

/** @param {number} ratio @returns {string} */
export function formatRatio(ratio) {
  return `${ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toFixed(ratio >= 10 ? 1 : 2)}x`
}

/** @param {number} size @returns {string} */
export function formatSize(size) {
  return size === 0 ? '' : size.toLocaleString('en')
}
