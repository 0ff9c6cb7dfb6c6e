/** Shows the current action in one line; prints a line for each action if lines cannot be overwritten. */
export class Progress {
  #start = performance.now()
  #last = ''
  #isTerminal = process.stderr.isTTY === true

  /** @param {string} text - its last word, where two words follow a colon, is a detail */
  say = (text) => {
    const seconds = `${Math.round((performance.now() - this.#start) / 1000)} s`.padStart(6)
    if (this.#isTerminal) {
      const width = (process.stderr.columns ?? 80) - 1
      process.stderr.write(`\r\u001B[2K${`${seconds}  ${text}`.slice(0, width)}`)
      return
    }
    const main = text.replace(/(: \S+) \S+$/, '$1')
    if (main === this.#last) return
    this.#last = main
    process.stderr.write(`${seconds}  ${main}\n`)
  }

  end() {
    if (this.#isTerminal) process.stderr.write('\r\u001B[2K')
  }
}
