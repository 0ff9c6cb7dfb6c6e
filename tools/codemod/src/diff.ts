const context = 3

/** Returns the difference of two texts in the format of `diff -u`. */
export function diffOf(path: string, before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after))
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]))
  const hunks: string[] = []
  for (let at = 0; at < changed.length;) {
    const begin = Math.max(0, (changed[at] ?? 0) - context)
    let end = changed[at] ?? 0
    while (at < changed.length && (changed[at] ?? 0) - end <= 2 * context) end = changed[at++] ?? 0
    const hunk = lines.slice(begin, end + context + 1)
    const first = lines.slice(0, begin)
    const count = (list: typeof lines, other: string) => list.filter(({ mark }) => mark !== other).length
    hunks.push(
      `@@ -${count(first, '+') + 1},${count(hunk, '+')} +${count(first, '-') + 1},${count(hunk, '-')} @@`,
      ...hunk.map(({ mark, text }) => mark + text),
    )
  }
  return [`--- ${path}`, `+++ ${path}`, ...hunks, ''].join('\n')
}

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n')

interface Line {
  readonly mark: ' ' | '+' | '-'
  readonly text: string
}

/** Aligns two lists of lines by their longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  // lengths[a][b]: number of lines that before[a…] and after[b…] have in common.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const lengthAt = (a: number, b: number) => lengths[a]?.[b] ?? 0
  for (let a = before.length - 1; a >= 0; a--)
    for (let b = after.length - 1; b >= 0; b--) {
      const row = lengths[a]
      if (row === undefined) continue
      row[b] =
        before[a] === after[b] ? lengthAt(a + 1, b + 1) + 1 : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1))
    }
  const lines: Line[] = []
  let [a, b] = [0, 0]
  while (a < before.length || b < after.length) {
    const [removed, added] = [before[a], after[b]]
    if (removed !== undefined && removed === added) {
      lines.push({ mark: ' ', text: removed })
      a++
      b++
    } else if (removed !== undefined && (added === undefined || lengthAt(a + 1, b) >= lengthAt(a, b + 1))) {
      lines.push({ mark: '-', text: removed })
      a++
    } else {
      lines.push({ mark: '+', text: added ?? '' })
      b++
    }
  }
  return lines
}
