import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { violationsOf } from '@selfsame/conformance/axe'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { startDemo, type Demo } from '@selfsame/demo'

// The panel over the page with three frameworks: each tab, by hand.

/** A folder for pictures of the panel. */
const pictures = process.env['PANEL_PICTURES']
/** The colors in which pictures are made. */
const pictured = pictures === undefined ? (['light'] as const) : (['light', 'dark'] as const)

let demo: Demo
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  demo = await startDemo({ sizes: { users: 4, articles: 12 }, watches: false })
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

beforeEach(async () => {
  errors = []
  await fetch(`${demo.restUrl}/_reset`, { method: 'POST' })
})

afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})

async function openPage(colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 1500 } })
  page = await context.newPage()
  page.setDefaultTimeout(40_000)
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(`${demo.url}/side-by-side/?panel`)
  for (const name of ['React', 'Vue', 'Svelte']) await pane(name).locator('.row').first().waitFor()
  await page.getByRole('button', { name: 'Selfsame', exact: true }).click()
  await tab('Calls').waitFor()
}

const pane = (name: string) => page.getByRole('region', { name, exact: true })
const panel = () => page.locator('selfsame-devtools .panel')
const tab = (name: string) => panel().getByRole('tab', { name })
const detail = () => panel().locator('.detail')
const picture = async (name: string) => {
  if (pictures !== undefined) await panel().screenshot({ path: `${pictures}/${name}.png` })
}

describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
  test('axe finds nothing in any tab', async () => {
    await openPage(scheme)
    for (const name of ['Calls', 'Records', 'Timeline', 'Layers', 'Network']) {
      await tab(name).click()
      const row = panel().locator('.row').first()
      if (await row.isVisible()) await row.click()
      await picture(`${name.toLowerCase()}-${scheme}`)
      expect([name, await violationsOf(page, 'selfsame-devtools')]).toEqual([name, []])
    }
  })
})

test.each(pictured)(
  'a call names its readers in all frameworks, and says why it was fetched, in %s colours',
  async (scheme) => {
    await openPage(scheme)
    await panel().locator('.row', { hasText: 'getList' }).click()
    await expect.poll(() => detail().textContent()).toMatch(/(React|Vue|Svelte) mounted; nothing was cached/)
    const readers = await detail().locator('dt:text-is("Readers") + dd').textContent()
    const names = readers?.split(', ').map((name) => name.replace(/ \(\d+ readers\)$/, ''))
    expect(names).toEqual(expect.arrayContaining(['React', 'Vue', 'Svelte']))
    expect(new Set(names).size).toBe(names?.length)
    await picture(`panel-calls-${scheme}`)
    const request = page.waitForRequest(/\/article\?/)
    await detail().getByRole('button', { name: 'Refetch' }).click()
    await request
  },
)

test('an edit of a record is in every pane', async () => {
  await openPage()
  await tab('Records').click()
  await panel().getByLabel('Type of the records').selectOption('User')
  await panel().locator('.row').first().click()
  await detail().getByRole('button', { name: 'Edit' }).click()
  const area = panel().locator('textarea')
  await area.fill((await area.inputValue()).replace(/"(title|name)": "[^"]*"/, '"$1": "By the panel"'))
  await detail().getByRole('button', { name: 'Save' }).click()
  for (const name of ['React', 'Vue', 'Svelte']) await pane(name).getByText('By the panel').first().waitFor()
})

test.each(pictured)(
  'the timeline shows an edit with its cause, its effect, and what was there before, in %s colours',
  async (scheme) => {
    await openPage(scheme)
    await tab('Timeline').click()
    await pane('Vue').locator('.row').first().click()
    await pane('Vue').getByRole('button', { name: 'Rename' }).click()
    await pane('Vue').getByLabel('Name of the author').fill('Renamed in Vue')
    await page.keyboard.press('Enter')
    await panel().getByLabel('Filter the timeline').fill('user.partialUpdate')
    await panel().locator('.row', { hasText: 'response User.partialUpdate' }).click()
    await expect.poll(() => detail().textContent()).toContain('Renamed in Vue')
    expect(await panel().locator('.row', { hasText: 'fetch User.partialUpdate' }).textContent()).toContain(
      'because it was called',
    )
    await picture(`panel-timeline-${scheme}`)
  },
)

test('requests fail by hand, and the panes show it', async () => {
  await openPage()
  await tab('Network').click()
  await panel().locator('label', { hasText: 'Article.getList' }).locator('select').selectOption('fail')
  await page.getByRole('button', { name: 'Reload the list' }).click()
  for (const name of ['React', 'Vue', 'Svelte']) await pane(name).getByRole('alert').waitFor()
})

test('a window of its own has the panel in the colours of the system, and gives it back', async () => {
  await openPage('dark')
  const opened = page.context().waitForEvent('page')
  await panel().getByLabel('Place of the panel').selectOption('window')
  const popup = await opened
  await popup.emulateMedia({ colorScheme: 'dark' })
  await popup.getByRole('tab', { name: 'Records' }).click()
  await popup.locator('.row').first().click()
  const background = () =>
    popup.locator('.panel').evaluate((element) => getComputedStyle(element).backgroundColor)
  await expect.poll(background).toBe('rgb(22, 22, 29)')
  if (pictures !== undefined) await popup.screenshot({ path: `${pictures}/window-dark.png` })
  expect(await violationsOf(popup, '.panel')).toEqual([])
  await popup.close()
  await expect.poll(() => panel().getAttribute('data-dock')).toBe('bottom')
})
