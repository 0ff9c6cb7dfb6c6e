import { AxeBuilder } from '@axe-core/playwright'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { chromium } from 'playwright'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumArgs, chromiumPath } from '../../conformance/src/chromium.js'
import { frameworks } from './frameworks.js'
import { root } from './pages.js'
import { entries } from './reference.js'
import { serveFolder } from './serve.js'

const dist = `${root}docs/.vitepress/dist/`
let site: { url: string; server: Server }

beforeAll(async () => {
  // Fails on a link to a page that is not there.
  const vitepress = `${root}node_modules/vitepress/bin/vitepress.js`
  await promisify(execFile)(process.execPath, [vitepress, 'build', `${root}docs`], { cwd: root })
  site = await serveFolder(dist)
})
afterAll(() => void site.server.close())

const html = (page: string) => readFileSync(`${dist}${page}`, 'utf8')
const pages = () =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
const attributes = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  )

describe('the built site', () => {
  test('has a target for each link, and each anchor', () => {
    const ids = new Map(pages().map((page) => [page, new Set(attributes(html(page), 'id'))]))
    const dead: string[] = []
    for (const page of ids.keys()) {
      for (const href of new Set(attributes(html(page), 'href'))) {
        const { origin, pathname, hash } = new URL(href, `http://site/${page}`)
        if (origin !== 'http://site') continue
        const target = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html')
        const anchors = ids.get(target)
        const isThere = anchors === undefined ? existsSync(`${dist}${target}`) : true
        const anchor = decodeURIComponent(hash.slice(1))
        if (!isThere || (anchor !== '' && anchors?.has(anchor) === false)) dead.push(`${page}: ${href}`)
      }
    }
    expect(ids.size).toBeGreaterThan(30)
    expect(dead).toEqual([])
  })

  test('loads nothing from other hosts', () => {
    const loaded = pages().flatMap((page) =>
      [...html(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*\s(?:src|href)="(https?:[^"]+)"/g)].map(
        ([, address]) => `${page}: ${address}`,
      ),
    )
    const styles = readdirSync(`${dist}assets`).filter((name) => name.endsWith('.css'))
    const imported = styles.filter((name) => /url\(["']?https?:/.test(html(`assets/${name}`)))
    expect({ loaded, imported }).toEqual({ loaded: [], imported: [] })
  })

  test('has a page of the reference for each entry, without what is internal', () => {
    for (const { name } of entries) {
      const page = html(`reference/${name.replace('@selfsame/', '').replace('/', '-')}.html`)
      expect(page).toContain(`${name} `)
    }
    const core = new Set(attributes(html('reference/core.html'), 'id'))
    expect(core).toContain('controller')
    expect(core).toContain('entity')
    // Of @selfsame/core/bindings.
    expect(core).not.toContain('observer')
    expect(core).not.toContain('callsof')
    expect(existsSync(`${dist}reference/core-bindings.html`)).toBe(false)
  })

  test('has texts for assistants, made of the same pages', () => {
    const list = html('llms.txt')
    expect(list).toMatch(/^# Selfsame\n\n> /)
    const listed = [...list.matchAll(/\]\(\/([^)]+)\)/g)].map(([, path = '']) => path)
    expect(listed.filter((path) => !existsSync(`${dist}${path}`))).toEqual([])
    expect(html('llms-full.txt')).toContain('# Start in five minutes')
  })
})

describe.runIf(existsSync(chromiumPath))('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  })
  afterAll(() => browser.close())

  /** Opens pages that must say nothing on the console. */
  async function open(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    onTestFinished(async () => {
      await context.close()
      expect(said).toEqual([])
    })
    return { context, page }
  }

  const desk = { width: 1280, height: 900 }
  const views = [
    {
      name: 'at a desk',
      viewport: desk,
      colorScheme: 'light',
      kinds: ['index', 'error-handling', 'errors/pk-missing', 'reference/core-optimistic'],
    },
    { name: 'in the dark', viewport: desk, colorScheme: 'dark', kinds: ['index', 'error-handling'] },
    {
      name: 'on a phone',
      viewport: { width: 390, height: 844 },
      colorScheme: 'light',
      kinds: ['index', 'error-handling', 'concepts', 'mutations', 'reference/core-optimistic'],
    },
  ] as const

  test.each(views)('pages are accessible $name', async ({ viewport, colorScheme, kinds }) => {
    const { page } = await open({ viewport, colorScheme })
    for (const kind of kinds) {
      await page.goto(`${site.url}/${kind}.html`)
      await page.locator('html[data-framework]').waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect({ kind, found, isWide: width > viewport.width }).toEqual({ kind, found: [], isWide: false })
    }
  })

  test('the chosen framework stays, on this page and on others', async () => {
    const { page } = await open()
    await page.goto(`${site.url}/start.html`)
    const tabs = page.getByRole('tablist', { name: 'Framework' }).first()
    const panel = page.locator('.framework-tabs').first().getByRole('tabpanel')
    const names = frameworks.map(({ name }) => name)
    expect(await tabs.getByRole('tab').allTextContents()).toEqual(names)
    await panel.getByText('@selfsame/react').first().waitFor()

    await page.getByLabel('Framework of the code samples').selectOption('Svelte')
    await panel.getByText('@selfsame/svelte').first().waitFor()
    expect(await panel.getByText('@selfsame/react').count()).toBe(0)

    await page.goto(`${site.url}/reading.html`)
    await page.getByText('TodoPair.svelte').first().waitFor()
    expect(await page.getByText('TodoPair.vue').first().isVisible()).toBe(false)
    expect(await page.getByLabel('Framework of the code samples').inputValue()).toBe('svelte')
  })

  test('the tabs obey the keyboard', async () => {
    const { page } = await open()
    await page.goto(`${site.url}/start.html`)
    await page.getByRole('tab', { name: 'React', selected: true }).first().focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: 'Vue', selected: true }).first().waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Vue')
    await page.keyboard.press('End')
    await page.getByRole('tab', { name: 'TypeScript', selected: true }).first().waitFor()
    expect(await page.getByLabel('Framework of the code samples').inputValue()).toBe('typescript')
  })

  test.each([
    ['useSuspenseAll', /^\/reading/],
    ['invalidate list', /^\/(faq|mutations|controller)/],
    ['infinite scroll', /^\/pagination/],
    ['devtools', /^\/devtools/],
    ['mutation', /^\/mutations/],
    ['loading state', /^\/(faq|error-handling)/],
  ])('the search for “%s” has its guide on top', async (text, guide) => {
    const { page } = await open()
    await page.goto(`${site.url}/start.html`)
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.locator('.VPLocalSearchBox input').fill(text)
    const first = page.locator('.VPLocalSearchBox .result').first()
    await expect
      .poll(async () => new URL((await first.getAttribute('href')) ?? '', site.url).pathname)
      .toMatch(guide)
  })

  test('the front page says what it is, how it is installed, and where to begin, in the first window', async () => {
    const { page } = await open()
    await page.goto(site.url)
    const bottom = async (text: string) => {
      const box = await page.locator('.vp-doc').getByText(text).first().boundingBox()
      return box === null ? Infinity : box.y + box.height
    }
    for (const text of ['One record, one object', 'Selfsame is a data layer', 'Start in five minutes', 'npm'])
      expect([text, (await bottom(text)) < 900]).toEqual([text, true])
    await page.locator('.vp-doc').getByRole('link', { name: 'Start in five minutes' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Start in five minutes' }).waitFor()
  })
})
