import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../comparison.md', import.meta.url), 'utf8')
const [head = [], , ...rows] = [...page.matchAll(/^\|(.+)\|$/gm)].map(
  ([, row = '']) => row.split('|').map((cell) => cell.trim()),
)

test('each cell of the comparison that is about another library has its source', () => {
  const [, own, ...others] = head
  expect(own).toBe('Selfsame')
  expect(others).toContain('Reactive Data Client')
  expect(rows.length).toBeGreaterThan(10)
  const without = rows.flatMap(([title, , ...cells]) =>
    others
      .filter((_, at) => !/\]\((?:https:|\w[\w-]*\.md)/.test(cells[at] ?? ''))
      .map((name) => `${title}: ${name}`),
  )
  expect(without).toEqual([])
})
