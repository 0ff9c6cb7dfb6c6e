import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLines, linesOf } from './scripts/lines.js'
import { measure } from './scripts/measure.js'
import { readTables, toTables } from './scripts/report.js'
import { servePage, type ServedPage } from './scripts/serve.js'

let page: ServedPage

beforeAll(async () => {
  page = await servePage()
})

afterAll(() => page?.close())

test('the README says what is measured', async () => {
  const tables = toTables(await measure(page), await linesOf('tanstack'), await linesOf('selfsame'))
  // Otherwise: npm run measure -w @selfsame/demo-compare
  expect(await readTables()).toBe(tables)
})

test('lines are counted without imports, comments and empty lines', () => {
  const source = `import {
  one,
  two,
} from 'a'
import type { Three } from 'b'

/**
 * Says something.
 */
export function add(): number {
  // Why.
  return one + two
}
`
  expect(countLines(source)).toBe(3)
})
