const codes = { bold: 1, dim: 2, underline: 4, red: 31, green: 32, cyan: 36 }
const isColored = process.stdout.isTTY === true && process.env.NO_COLOR === undefined

/** @param {keyof typeof codes} style @param {string} text @returns {string} unchanged if colors are off */
export function styleText(style, text) {
  return isColored ? `\u001B[${codes[style]}m${text}\u001B[0m` : text
}
