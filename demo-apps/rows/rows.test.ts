import { violationsOf } from '@selfsame/conformance/axe'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { startDemo, type Demo } from '@selfsame/demo'
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

let demo: Demo
let browser: Browser
let page: Page

beforeAll(async () => {
  demo = await startDemo({ sizes: { users: 2, articles: 2 } })
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(new URL('/rows/', demo.url).href)
  await page.getByRole('status').filter({ hasText: 'Ready' }).waitFor()
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const amounts = async () => (await page.locator('.row :last-child').allTextContents()).map(Number)
const figure = async (id: string) => Number((await page.locator(`#${id}`).textContent())?.replaceAll(',', ''))

test('shows the part of 100,000 rows that is on screen, in order, while they change', async () => {
  await expect.poll(() => figure('total')).toBe(100_000)
  await expect.poll(() => figure('changes')).toBeGreaterThan(50)
  const shown = await amounts()
  expect(shown.length).toBeLessThan(60)
  expect(shown).toEqual([...shown].sort((a, b) => b - a))
  // Most changes are elsewhere: they tell nobody, and render nothing.
  expect(await figure('notifications')).toBeLessThan((await figure('changes')) / 5)
})

test('renders less than one row for each write', async () => {
  const [changesBefore, renderedBefore] = [await figure('changes'), await figure('rendered')]
  await expect.poll(async () => (await figure('changes')) - changesBefore).toBeGreaterThan(200)
  const rendered = (await figure('rendered')) - renderedBefore
  expect(rendered).toBeLessThan((await figure('changes')) - changesBefore)
})

test('scrolls to the end, and shows a state', async () => {
  await page.locator('#rate').selectOption('0')
  await page.locator('#table').evaluate((element) => (element.scrollTop = element.scrollHeight))
  await expect
    .poll(async () => (await page.locator('.row :first-child').allTextContents()).includes('100000'))
    .toBe(true)
  await page.locator('#state').selectOption('paid')
  await expect
    .poll(async () => new Set(await page.locator('.row :nth-child(3)').allTextContents()))
    .toEqual(new Set(['paid']))
  await expect.poll(() => figure('total')).toBeLessThan(60_000)
  expect(await violationsOf(page)).toEqual([])
})

test('axe finds what breaks a rule, in a shadow root too', async () => {
  const other = await browser.newPage()
  await other.setContent(
    '<html lang="en"><title>Two pictures</title><main><h1>Two</h1><img src="a"><div id="host"></div></main>',
  )
  await other
    .locator('#host')
    .evaluate((host) => (host.attachShadow({ mode: 'open' }).innerHTML = '<img src="b">'))
  expect(await violationsOf(other)).toEqual(['image-alt: <img src="a">', 'image-alt: <img src="b">'])
  expect(await violationsOf(other, '#host')).toEqual(['image-alt: <img src="b">'])
  await other.close()
})
