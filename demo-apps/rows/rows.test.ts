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

/** Scrolls the chat to its beginning, and returns how far the message at its top moved in any frame while older ones came: pixels. */
const movedByOlder = () =>
  page.locator('#chat').evaluate(async (chat) => {
    const frame = () => new Promise(requestAnimationFrame)
    const offsetOf = (row: Element) => row.getBoundingClientRect().top - chat.getBoundingClientRect().top
    const textOfFirst = () => {
      const rows = [...chat.querySelectorAll('.message')].sort((a, b) => offsetOf(a) - offsetOf(b))
      return rows.find((row) => row.getBoundingClientRect().bottom > chat.getBoundingClientRect().top)
        ?.textContent
    }
    // Until nothing is on its way.
    for (let height = 0, same = 0; same < 30; height = chat.scrollHeight) {
      same = chat.scrollHeight === height ? same + 1 : 0
      await frame()
    }
    chat.scrollTop = 40
    // The rows there are rendered and measured, and older ones are on their way.
    for (let frames = 0; frames < 3; frames++) await frame()
    const before = chat.scrollHeight
    const first = textOfFirst()
    const place = () => {
      const row = [...chat.querySelectorAll('.message')].find(({ textContent }) => textContent === first)
      return row === undefined ? Infinity : offsetOf(row)
    }
    const offset = place()
    let moved = 0
    // Ten frames more, in which their heights are measured.
    for (let more = 0; more < 10;) {
      await frame()
      moved = Math.max(moved, Math.abs(place() - offset))
      if (chat.scrollHeight > before + 300) more++
    }
    return { first, moved }
  })

test('a chat starts at its end, and what is on screen stays there when older messages come', async () => {
  await page.locator('#rate').selectOption('0')
  await page.locator('#chat').scrollIntoViewIfNeeded()
  await page.locator('#chat').getByText('Message 400').waitFor()
  const seen: (string | null | undefined)[] = []
  for (let part = 0; part < 3; part++) {
    const { first, moved } = await movedByOlder()
    seen.push(first)
    expect(moved).toBeLessThanOrEqual(1)
  }
  // Further back each time.
  expect(new Set(seen).size).toBe(3)
  expect(seen.every((text) => text?.startsWith('Message ') === true)).toBe(true)
})

test('a message that arrives is shown at the end, and moves nothing for who reads older ones', async () => {
  const chat = page.locator('#chat')
  const rows = () =>
    chat.evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      return [...element.querySelectorAll('.message')].map((row) => [
        row.textContent,
        row.getBoundingClientRect().top - top,
      ])
    })
  const before = await rows()
  const height = await chat.evaluate((element) => element.scrollHeight)
  await page.locator('#receive').click()
  await expect.poll(() => chat.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height)
  expect(await rows()).toEqual(before)
  await chat.evaluate((element) => (element.scrollTop = element.scrollHeight))
  await chat.getByText('Message 401').waitFor()
  await page.locator('#receive').click()
  await chat.getByText('Message 402').waitFor()
  expect(
    await chat.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight),
  ).toBeLessThanOrEqual(1)
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
