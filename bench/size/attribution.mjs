/** The source of code without a mapping, which the bundler added. */
const unattributed = '(bundler)'

/**
 * Attributes each character of a bundle to its source file.
 *
 * @param {string} script - minified, with few lines
 * @param {{ mappings: string, sources: readonly (string | null)[] }} map
 * @returns {Map<string, number>} characters by source file, the largest first
 */
export function lengthsBySource(script, { mappings, sources }) {
  const lengths = new Map()
  const add = (source, length) => {
    if (length > 0) lengths.set(source, (lengths.get(source) ?? 0) + length)
  }
  const lines = script.split('\n')
  let sourceIndex = 0
  // Kept for the next line, because a multi-line string is mapped only at its start.
  let source = unattributed
  for (const [lineIndex, line] of mappings.split(';').entries()) {
    const end = lines[lineIndex]?.length ?? 0
    let column = 0
    for (const segment of line.split(',').filter((text) => text !== '')) {
      const [columnStep, sourceStep] = decode(segment)
      add(source, columnStep)
      column += columnStep
      if (sourceStep === undefined) source = unattributed
      else source = sources[(sourceIndex += sourceStep)] ?? unattributed
    }
    add(source, end - column)
  }
  return new Map([...lengths].sort(([, a], [, b]) => b - a))
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes the numbers of a segment of a source map (ECMA-426): base 64, five bits per digit, lowest first. */
function decode(segment) {
  const numbers = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    if (digit & 32) {
      shift += 5
      continue
    }
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
