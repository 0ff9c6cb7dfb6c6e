import { violationsOf } from '@selfsame/conformance/axe'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { shiftOf, watchShifts } from '@selfsame/conformance/layout-shift'
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countDataLines } from './scripts/application-lines.js'
import { countLines, linesOf } from './scripts/lines.js'
import { messagesOf, runScript, scoreOf } from './scripts/measure.js'
import { applicationTable, readTables, toTables } from './scripts/report.js'
import { servePage, type ServedPage } from './scripts/serve.js'

let served: ServedPage
let browser: Browser

beforeAll(async () => {
  served = await servePage()
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

test('the script can be stopped and repeated, puts back what it changed, and counts what the README says', async () => {
  const page = await openPage(1440)
  const messages = messagesOf(page)
  const articles = () => fetch(`${served.restUrl}/article`).then((response) => response.text())
  const before = await articles()
  const button = page.locator('#run')
  await button.click()
  await page.locator('#steps tr', { hasText: 'open the page' }).getByText('2 : 2').waitFor()
  await button.click()
  await page.getByText('It was stopped.').waitFor()
  await runScript(page)
  // If this fails, run: npm run measure -w @selfsame/demo-compare
  expect(toTables(await scoreOf(page), await linesOf('tanstack'), await linesOf('selfsame'))).toBe(
    await readTables('compare'),
  )
  const total = async (label: string) => Number.parseFloat(await page.getByLabel(label).innerText())
  expect([await total('requests of TanStack Query'), await total('requests of Selfsame')]).toEqual([15, 10])
  expect(await total('bytes of TanStack Query')).toBeGreaterThan(2 * (await total('bytes of Selfsame')))
  expect(await articles()).toBe(before)
  expect(messages).toEqual([])
  await page.close()
})

test('on a phone the sides are tabs', async () => {
  const page = await openPage(390)
  const side = (name: string) => page.getByRole('region', { name, exact: true })
  expect(await side('Selfsame').isVisible()).toBe(false)
  await page.getByRole('tab', { name: 'Selfsame' }).click()
  await side('Selfsame').waitFor()
  expect(await side('TanStack Query').isVisible()).toBe(false)
  await page.keyboard.press('ArrowLeft')
  await side('TanStack Query').waitFor()
  await page.close()
})

test.each([1440, 390])('axe finds nothing, and nothing moves, at a width of %i pixels', async (width) => {
  const page = await openPage(width)
  expect(await shiftOf(page)).toBe(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violationsOf(page)).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  await page.close()
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

async function openPage(width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(watchShifts)
  await page.goto(served.url)
  await page.locator('.articles button').first().waitFor({ state: 'attached' })
  return page
}
