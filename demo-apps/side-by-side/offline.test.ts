import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsOf } from '@selfsame/conformance/axe'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { ofTurn } from '@selfsame/conformance/turn'
import { startDemo, type Demo } from '@selfsame/demo'

let demo: Demo
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  demo = await startDemo({ sizes: { users: 4, articles: 12 } })
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

beforeEach(async () => {
  await fetch(`${demo.url}/rest/_reset`, { method: 'POST' })
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
})

afterEach(() => context.close())

const titleIn = (page: Page, framework: string) =>
  page.locator(`#${framework} .row-title`).first().innerText()

async function open(): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(40_000)
  await page.goto(`${demo.url}/side-by-side/`)
  for (const framework of ['react', 'vue', 'svelte']) await page.locator(`#${framework} .detail h3`).waitFor()
  return page
}

/** Colours on their way have less contrast than those they come from and go to. */
async function endOfTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition)
    await Promise.all(transitions.map(({ finished }) => finished.catch(() => undefined)))
  })
}

async function editIn(page: Page, framework: string, title: string): Promise<void> {
  await page.locator(`#${framework} .detail .actions .primary`).click()
  await page.locator(`#${framework} .article-form input`).first().fill(title)
  await page.locator(`#${framework} .article-form .primary`).click()
}

test('an edit made offline is kept over a reload, shown in both windows, and sent once the page is online', async () => {
  const page = await open()
  await page.getByRole('switch', { name: 'Offline' }).click()
  await editIn(page, 'vue', 'Made in a tunnel')
  const waiting = page.getByRole('region', { name: 'Unsent changes' })
  await waiting.getByText('Title: Made in a tunnel').waitFor()
  // The form is closed: the edit is safe.
  await page.locator('#vue .article-form').waitFor({ state: 'detached' })
  for (const framework of ['react', 'vue', 'svelte'])
    expect(await titleIn(page, framework)).toBe('Made in a tunnel')
  await page.reload()
  for (const framework of ['react', 'vue', 'svelte'])
    await expect.poll(() => titleIn(page, framework)).toBe('Made in a tunnel')
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Second window' }).click(),
  ])
  await expect.poll(() => titleIn(second, 'svelte')).toBe('Made in a tunnel')
  await second
    .getByRole('region', { name: 'Unsent changes' })
    .getByText('1 change will be sent when you reconnect')
    .waitFor()
  await second.getByRole('switch', { name: 'Offline' }).click()
  for (const window of [page, second]) await window.locator('#waiting').waitFor({ state: 'hidden' })
  const list = (await (await fetch(`${demo.url}/rest/article`)).json()) as readonly { title: string }[]
  expect(list.filter(({ title }) => title === 'Made in a tunnel')).toHaveLength(1)
  for (const window of [page, second])
    for (const framework of ['react', 'vue', 'svelte'])
      await expect.poll(() => titleIn(window, framework)).toBe('Made in a tunnel')
})

test('an edit that waits can be dropped', async () => {
  const page = await open()
  const before = await titleIn(page, 'react')
  await page.getByRole('switch', { name: 'Offline' }).click()
  await editIn(page, 'react', 'Not for long')
  await page.getByRole('button', { name: 'Drop: Title: Not for long' }).click()
  for (const framework of ['react', 'vue', 'svelte'])
    await expect.poll(() => titleIn(page, framework)).toBe(before)
})

const sizes = [
  [1440, 900],
  [768, 1024],
  [390, 844],
] as const
test.each(ofTurn(sizes))('offline the page fits %i × %i, and is accessible', async (width, height) => {
  const page = await open()
  await page.setViewportSize({ width, height })
  await page.getByRole('switch', { name: 'Offline' }).click()
  await editIn(page, 'react', 'An edit that waits until the train has left the tunnel')
  await page.getByText('Title: An edit').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  await page.evaluate(() => scrollTo(0, 0))
  const folder = process.env['SCREENSHOTS']
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await endOfTransitions(page)
    expect(await violationsOf(page)).toEqual([])
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${width}-${colorScheme}.png` })
  }
})
