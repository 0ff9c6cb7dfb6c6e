import { afterAll, beforeAll, expect, test } from 'vitest'
import { countDataLines } from './scripts/application-lines.js'
import { countLines, linesOf } from './scripts/lines.js'
import { measure } from './scripts/measure.js'
import { applicationTable, readTables, toTables } from './scripts/report.js'
import { servePage, type ServedPage } from './scripts/serve.js'

let page: ServedPage

beforeAll(async () => {
  page = await servePage()
})

afterAll(() => page?.close())

test('the README says what is measured', async () => {
  const tables = toTables(await measure(page), await linesOf('tanstack'), await linesOf('selfsame'))
  // If this fails, run: npm run measure -w @selfsame/demo-compare
  expect(await readTables('compare')).toBe(tables)
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

test('the README says how many lines of data code the applications have', async () => {
  // If this fails, run: npm run lines -w @selfsame/demo-compare
  expect(await readTables('applications')).toBe(await applicationTable())
})

test('lines of data code are those of statements that name something of Selfsame or the API', () => {
  const script = `
import { AsyncBoundary, useController, useLoading, useSuspense } from '@selfsame/react'
import { articleResource, formatDate } from '@selfsame/demo-shared/application'
import { useState } from 'react'

export function Detail({ id }: { readonly id: number }) {
  // An article.
  const article = useSuspense(articleResource.get, { id })
  const controller = useController()
  const [isOpen, setIsOpen] = useState(false)
  const { run: remove } = useLoading(async () => {
    await controller.fetch(articleResource.delete, { id })
    setIsOpen(false)
  })
  if (isOpen) return <p>{formatDate(article.date)}</p>
  return (
    <AsyncBoundary>
      <img src={useSuspense(getImage)} onClick={() => controller.resetAll()} />
    </AsyncBoundary>
  )
}
`
  expect(countDataLines(script)).toBe(7)
})
