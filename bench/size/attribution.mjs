/** What a source map that says nothing of a place stands for: what the bundler adds. */
const unattributed = '(bundler)'

/**
 * Says which source file each character of a bundle came from.
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
  // Goes on into the next line: a text over several lines is mapped where it begins only.
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

/** The numbers of one segment of a source map (ECMA-426): base 64, five bits a digit, the lowest first. */
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
