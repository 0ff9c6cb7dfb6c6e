import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${project}SECURITY.md`, 'utf8')
/** Removes the escapes that Markdown adds to titles. */
const plain = (text: string) => text.replaceAll('\\', '').trim()
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| threat'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))

test('there are threats', () => {
  expect(rows.length).toBeGreaterThan(8)
})

test.each(rows.map(([, threat, , shownBy]) => [threat, shownBy] as const))(
  '%s: its test is there',
  (_threat, shownBy) => {
    const [, file, title] = /^`([^`]+)`(?:: "(.+)")?$/.exec(shownBy ?? '') ?? []
    expect(file && existsSync(project + file)).toBe(true)
    if (title !== undefined) expect(plain(readFileSync(project + file, 'utf8'))).toContain(plain(title))
  },
)
