import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright'
import type { Browser, BrowserContext, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../conformance/src/axe.js'
import { chromiumArgs, chromiumPath } from '../../conformance/src/chromium.js'
import { ofTurn } from '../../conformance/src/turn.js'
import { checkShown } from './framework-tabs.js'
import { frameworks, storageKey } from './frameworks.js'
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
/** A compiler takes seconds to compress. */
const weights = new Map<string, number>()
function brotliOf(path: string): number {
  const bytes = weights.get(path) ?? brotliCompressSync(readFileSync(`${dist}${path.slice(1)}`)).length
  weights.set(path, bytes)
  return bytes
}
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

  test('gives each picture its size, so that nothing moves when it arrives', () => {
    const pictures = pages().flatMap((page) => [...html(page).matchAll(/<img[^>]*\.webp[^>]*>/g)])
    expect(pictures.length).toBeGreaterThan(4)
    const without = pictures.filter(([picture]) => !/width="\d+" height="\d+"/.test(picture))
    expect(without.map(([picture]) => picture)).toEqual([])
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
    // Of @selfsame/core/bindings.
    expect(html('reference/core.html')).not.toMatch(/>(?:Observer|CallsOf)</i)
    expect(existsSync(`${dist}reference/core-bindings.html`)).toBe(false)
  })

  test('has a page for each hook and each class, with the sample of a guide', () => {
    for (const hook of ['useSuspense', 'useInfinite', 'useLoading']) {
      for (const binding of ['react', 'vue', 'svelte']) {
        const page = html(`reference/${binding}/${hook}.html`)
        const [before = '', after = ''] = page.split('id="definition-of-this-page"')
        expect([binding, hook, /From <a href="\/[a-z-]+\.html/.test(before)]).toEqual([binding, hook, true])
        expect(after).toContain('Returns')
      }
    }
    for (const name of ['Controller', 'Entity', 'Query', 'Endpoint'])
      expect(html(`reference/core/${name}.html`)).toContain('Constructors')
    // So have long types; short ones share a page.
    expect(html('reference/core/ControllerOptions.html')).toContain('import')
    const files = readdirSync(`${dist}reference`, { recursive: true, encoding: 'utf8' })
    const shared = files.filter((name) => /\/(?:types|interfaces)[^/]*\.html$/.test(name))
    expect(shared.length).toBeGreaterThan(20)
    const crowded = shared.filter((name) => html(`reference/${name}`).split('<h2').length > 40)
    expect(crowded).toEqual([])
    // The overview of an entry leads to each of its pages.
    const links = attributes(html('reference/react.html'), 'href').filter((href) =>
      href.startsWith('/reference/react/use'),
    )
    expect(new Set(links).size).toBeGreaterThan(20)
  })

  test('shows the code that its live samples run', () => {
    const shown = readFileSync(`${root}docs/mutations.md`, 'utf8')
    const [, code = ''] = /^```tsx\n(\/\/ EditTodo[\s\S]*?)^```/m.exec(shown) ?? []
    expect(() => checkShown('guides/EditTodo', code)).not.toThrow()
    expect(() => checkShown('guides/EditTodo', code.replace('draft', 'title'))).toThrow(
      'is not what its page shows',
    )
    expect(() => checkShown('guides/EditTodo', code.replace('EditTodo.tsx', 'Nothing.tsx'))).toThrow(
      'is not what its page shows',
    )
    expect(() => checkShown('guides/EditTodo', 'const a = 1')).toThrow('names no file')
  })

  test('has texts for assistants, made of the same pages', () => {
    const list = html('llms.txt')
    expect(list).toMatch(/^# Selfsame\n\n> /)
    const listed = [...list.matchAll(/\]\(\/([^)]+)\)/g)].map(([, path = '']) => path)
    expect(listed.filter((path) => !existsSync(`${dist}${path}`))).toEqual([])
    expect(html('llms-full.txt')).toContain('# Start in five minutes')
  })

  test('has texts for assistants and Markdown for each framework, without the code of others', () => {
    const code = { react: 'tsx', vue: 'vue', svelte: 'svelte' } as const
    for (const [id, language] of Object.entries(code)) {
      const others = Object.values(code).filter((one) => one !== language)
      const list = html(`llms-${id}.txt`)
      const listed = [...list.matchAll(/\]\(\/([^)]+)\)/g)].map(([, path = '']) => path)
      expect(listed).toContain(`${id}/start.md`)
      expect(listed.filter((path) => !existsSync(`${dist}${path}`))).toEqual([])
      const start = html(`${id}/start.md`)
      expect(start).toContain(`\`\`\`${language}\n`)
      expect(others.filter((other) => start.includes(`\`\`\`${other}\n`))).toEqual([])
      // More than half of the page is for others.
      expect(start.length).toBeLessThan(readFileSync(`${root}docs/start.md`, 'utf8').length / 2)
      expect(html(`llms-full-${id}.txt`).length).toBeLessThan(html('llms-full.txt').length)
      expect(existsSync(`${dist}${id}/server-rendering/${id}.md`)).toBe(true)
      // That of Astro is for all of them.
      expect(listed.filter((path) => path.includes('server-rendering/')).length).toBe(2)
    }
  })

  test('has a reference that describes before it shows code, and names errors without braces', () => {
    const index = html('reference/index.html')
    for (const { name } of entries) expect(index).toMatch(new RegExp(`>${name}</code></a>: \\w`))
    const hook = html('reference/react/useSuspense.html')
    const text = hook.slice(hook.indexOf('<h1 id="usesuspense"'))
    expect(text.indexOf('Reads a call, and fetches it')).toBeGreaterThan(0)
    expect(text.indexOf('Reads a call, and fetches it')).toBeLessThan(text.indexOf('class="language-ts'))
    const braces = pages().filter(
      (page) =>
        page.startsWith('reference/') && /\{\w+Error\}/.test(html(page).replace(/<pre[\s\S]*?<\/pre>/g, '')),
    )
    expect(braces).toEqual([])
  })

  test('has one list of at most 60 entries in six groups', () => {
    const sidebar = /<nav class="nav" id="VPSidebarNav"[\s\S]*?<\/nav>/.exec(html('start.html'))?.[0] ?? ''
    const groups = [...sidebar.matchAll(/<h2 class="text"[^>]*>(.*?)<\/h2>/g)].map(([, text]) => text)
    expect(groups).toEqual(['Start', 'Describe your data', 'Read', 'Write', 'Go to production', 'Advanced'])
    const links = attributes(sidebar, 'href')
    expect(links.length).toBeGreaterThan(40)
    expect(links.length).toBeLessThanOrEqual(60)
  })

  test('compares with others in one page of at most 1,500 words and five charts', () => {
    const page = readFileSync(`${root}docs/benchmarks.md`, 'utf8')
    expect(page.split(/\s+/).length).toBeLessThanOrEqual(1500)
    expect(page.match(/drawings\/bench-[\w-]+\.svg/g)).toHaveLength(5)
    expect(page.indexOf('## Where others are ahead')).toBeLessThan(page.indexOf('## Where Selfsame is ahead'))
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
  /** Looks of the editor, which has the same styles in each framework. */
  const onPhone = { colorScheme: 'light', viewport: { width: 390, height: 844 } } as const
  const inTheDark = { colorScheme: 'dark', viewport: desk } as const
  const views = [
    {
      name: 'at a desk',
      viewport: desk,
      colorScheme: 'light',
      kinds: [
        'index',
        'error-handling',
        'errors/pk-missing',
        'reference/core-optimistic',
        'reference/vue/useDLE',
        'play',
      ],
    },
    { name: 'in the dark', viewport: desk, colorScheme: 'dark', kinds: ['index', 'error-handling', 'play'] },
    {
      name: 'on a phone',
      viewport: { width: 390, height: 844 },
      colorScheme: 'light',
      kinds: [
        'index',
        'error-handling',
        'concepts',
        'mutations',
        'reference/react',
        'reference/core/Controller',
        'play',
      ],
    },
  ] as const

  test.each(ofTurn(views))('pages are accessible $name', async ({ viewport, colorScheme, kinds }) => {
    const { page } = await open({ viewport, colorScheme })
    for (const kind of kinds) {
      await page.goto(`${site.url}/${kind}.html`)
      await page.locator('html[data-framework]').waitFor()
      const found = await violationsOf(page)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect({ kind, found, isWide: width > viewport.width }).toEqual({ kind, found: [], isWide: false })
    }
  })

  /** All pages that are written, and one of each kind of the reference. */
  const allPages = () => [
    ...pages().filter((name) => !/^(?:404|screens|reference\/)/.test(name)),
    'reference/index.html',
    'reference/react.html',
    'reference/react/useSuspense.html',
    'reference/core/Controller.html',
    'reference/core/types-endpoint.html',
  ]

  const looks = [
    { name: 'at a desk', viewport: desk, colorScheme: 'light', framework: 'react' },
    { name: 'on a tablet', viewport: { width: 820, height: 1180 }, colorScheme: 'dark', framework: 'vue' },
    { name: 'on a phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark', framework: 'svelte' },
  ] as const

  test.each(ofTurn(looks))(
    'no page moves while it loads and is read, and each is accessible, $name',
    { timeout: 600_000 },
    async ({ viewport, colorScheme, framework }) => {
      const { page } = await open({ viewport, colorScheme, reducedMotion: 'reduce' })
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
        storageKey,
        framework,
      ] as const)
      await page.addInitScript(() => {
        const moved: string[] = []
        Object.assign(window, { moved })
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
            sources: { node: Node | null }[]
          })[])
            // Less than that is a part of a pixel.
            if (!shift.hadRecentInput && shift.value > 0.00001)
              moved.push(`${shift.value}: ${shift.sources.map(({ node }) => node?.nodeName).join(' ')}`)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      const look = async (name: string) => {
        await page.goto(`${site.url}/${name}`)
        await page.locator('html[data-framework]').waitFor()
        if (name === 'play.html') await page.locator('.cm-content').waitFor()
        for (const live of await page.locator('.live').all()) {
          await live.scrollIntoViewIfNeeded()
          await live.locator('[data-live="running"]').waitFor()
        }
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))))
        const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved)
        const wrong = await violationsOf(page)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        return { name, moved, wrong, width }
      }
      const found: unknown[] = []
      for (const name of allPages()) {
        let seen = await look(name)
        // On a busy machine the rows of a long table arrive in two parts, and its columns are measured twice.
        if (seen.moved.length > 0) seen = await look(name)
        if (seen.moved.length > 0 || seen.wrong.length > 0 || seen.width > viewport.width) found.push(seen)
      }
      expect(found).toEqual([])
    },
  )

  test('says what to do where a page is not there', async () => {
    const { page } = await open()
    await page.goto(`${site.url}/404.html`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByText('It may have moved.').waitFor()
    await page.getByRole('link', { name: 'Go to the front page' }).click()
    await page.getByRole('heading', { level: 1, name: 'One record, one object, every view' }).waitFor()
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

  /** What a reader does with each live sample, and what it then shows. */
  const lives = [
    {
      name: 'reading',
      shows: 'Test the printer, one of 4',
      requests: ['GET /todo/5', 'GET /todo?userId=1'],
      change: async (live: Locator) => live.getByRole('button', { name: 'Run again' }).click(),
      fails: /503/,
    },
    {
      name: 'mutations',
      shows: 'Save',
      requests: ['GET /todo/5'],
      change: async (live: Locator) => {
        await live.getByLabel('Title').fill('Mend the printer')
        await live.getByRole('button', { name: 'Save' }).click()
      },
      fails: /503/,
    },
    {
      name: 'optimistic',
      shows: '3 open',
      requests: ['GET /todo'],
      change: async (live: Locator) => {
        await live.getByLabel('Answer the survey').click()
        // Shown before the answer.
        await live.getByText('2 open').waitFor()
      },
      fails: /Taken back: .*503/,
    },
    {
      name: 'pagination',
      shows: 'Book the room',
      requests: ['GET /todo?page=1'],
      change: async (live: Locator) => live.getByRole('button', { name: 'Next' }).click(),
      fails: /503/,
    },
    {
      name: 'error-handling',
      shows: 'Test the printer',
      requests: ['GET /todo/5'],
      change: async (live: Locator) => live.getByRole('button', { name: 'Run again' }).click(),
      fails: /503.*Try again/,
    },
  ] as const

  describe.each(ofTurn(['react', 'vue', 'svelte'] as const))('live samples in %s', (framework) => {
    test.each(lives)('$name runs, and shows that its server fails', async (sample) => {
      const { page } = await open({ reducedMotion: 'reduce' })
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
        storageKey,
        framework,
      ] as const)
      await page.goto(`${site.url}/${sample.name}.html`)
      const live = page.locator('.live').first()
      await live.scrollIntoViewIfNeeded()
      await live.locator('[data-live="running"]').getByText(sample.shows).first().waitFor()
      const log = live.getByRole('log').getByRole('listitem')
      await expect
        .poll(async () => (await log.allTextContents()).map((text) => text.replace(/\s+200/, '200')))
        .toEqual(sample.requests.map((request) => `${request}200`))
      await live.getByLabel('Fail').check()
      await sample.change(live)
      await expect.poll(() => live.getByRole('alert').innerText()).toMatch(sample.fails)
      await expect.poll(() => log.last().innerText()).toContain('503')
      expect(await violationsOf(page, '.live')).toEqual([])
    })
  })

  test('the front page has a sample that runs, in the framework of the reader', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.goto(site.url)
    const live = page.locator('.live')
    await live.waitFor()
    await page.waitForLoadState('networkidle')
    // Below the first window, it costs nothing.
    expect(loaded.filter((path) => /TodoList/.test(path))).toEqual([])
    for (const framework of ['React', 'Vue', 'Svelte']) {
      await page.getByLabel('Framework of the code samples').selectOption(framework)
      await live.scrollIntoViewIfNeeded()
      await live.locator('[data-live="running"]').getByText('3 open').waitFor()
      await live.getByLabel('Fail').check()
      await live.getByLabel('Answer the survey').click()
      await live.getByText('2 open').waitFor()
      await live
        .getByRole('alert')
        .getByText(/Taken back: .*503/)
        .waitFor()
      await live.getByText('3 open').waitFor()
      await live.getByLabel('Fail').uncheck()
    }
  })

  const editors = [
    { framework: 'react', file: 'TodoList.tsx', ceiling: 186_000, look: onPhone },
    { framework: 'vue', file: 'TodoList.vue', ceiling: 372_000, look: inTheDark },
    { framework: 'svelte', file: 'TodoList.svelte', ceiling: 358_000, look: onPhone },
  ] as const
  describe.each(ofTurn(editors))(
    'the editor of a live sample in $framework',
    ({ framework, file, ceiling, look }) => {
      const code = readFileSync(`${root}docs/examples/optimistic/${file}`, 'utf8')

      /** Opens the front page, and scrolls to its sample. */
      async function openSample(options: Parameters<typeof open>[0] = {}) {
        const { page } = await open({ reducedMotion: 'reduce', ...options })
        await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
          storageKey,
          framework,
        ] as const)
        const scripts: string[] = []
        page.on('response', (response) => {
          const { pathname } = new URL(response.url())
          // VitePress prefetches the pages of links in view: they are no scripts of this page.
          if (response.request().resourceType() !== 'script') return
          if (response.url().startsWith(`${site.url}/assets/`) && pathname.endsWith('.js'))
            scripts.push(pathname)
        })
        await page.goto(`${site.url}/index.html`)
        const live = page.locator('.live').first()
        await live.scrollIntoViewIfNeeded()
        await live.locator('[data-live="running"]').getByText('3 open').waitFor()
        /** The scripts of the site that the page has loaded, in bytes of brotli. */
        const weigh = async () => {
          await page.waitForLoadState('networkidle')
          return scripts.reduce((sum, path) => sum + brotliOf(path), 0)
        }
        const edit = async () => {
          await live.getByRole('button', { name: 'Edit', exact: true }).click()
          await live.getByRole('textbox', { name: `Code of ${file}` }).waitFor()
        }
        const write = async (text: string) => {
          await live.getByRole('textbox', { name: /^Code of/ }).focus()
          await page.keyboard.press('Control+a')
          await page.keyboard.insertText(text)
        }
        return { page, live, weigh, edit, write, problem: live.locator('.live-problem') }
      }

      test('is loaded when the reader edits, has a price, runs what is written, and shows what is wrong with it', async () => {
        const { page, live, weigh, edit, write, problem } = await openSample()
        const before = await weigh()
        // The framework of the site, that of the sample, the packages and the sample.
        expect(before).toBeLessThan({ react: 221_000, vue: 163_000, svelte: 184_000 }[framework])
        await edit()
        await write(code.replace(' open<', ' to do<'))
        await live.getByText('3 to do').waitFor()
        const price = (await weigh()) - before
        expect(price).toBeLessThan(ceiling)
        // Both were loaded by this: the editor, and the compiler.
        expect(price).toBeGreaterThan(ceiling * 0.9)

        // The network, its log and its switches are the same.
        await live.getByLabel('Fail').check()
        await live.getByLabel('Answer the survey').click()
        await live.getByText('2 to do').waitFor()
        await live.getByText(/^Taken back: .*503/).waitFor()
        await live.getByLabel('Fail').uncheck()
        expect(await problem.innerText()).toBe('')

        // What cannot be compiled leaves the last version that could.
        await write(code.replace('const controller =', 'const controller = ='))
        await problem.getByRole('button', { name: new RegExp(`^${file}, line \\d+$`) }).waitFor()
        expect(await problem.innerText()).toContain('The last version that compiled is running.')
        await live.getByText('3 to do').waitFor()

        const call = 'const controller = useController()'
        const line = code.slice(0, code.indexOf(call)).split('\n').length
        await write(code.replace(call, `${call}; throw new Error('Broken here')`))
        await problem.getByText('Broken here').waitFor()
        expect(await problem.innerText()).toContain(`${file}, line ${line}`)
        await live.getByRole('alert').getByText('Broken here').waitFor()

        await write(code.replace(call, `${call}; while (controller) {}`))
        await problem.getByText('Stopped: this ran for 2 seconds').waitFor()

        await write(
          code.replace(call, `${call}; useNothing()`).replace('useController,', 'useController, useNothing,'),
        )
        await problem
          .getByText(`@selfsame/${framework} has no “useNothing” here. It has AsyncBoundary,`)
          .waitFor()

        await write(code.replace("from './api", "from 'left-pad"))
        await problem.getByText('is not available here. A sample can import @selfsame/core,').waitFor()

        await live.getByRole('button', { name: 'Reset' }).click()
        await live.getByText('3 open').waitFor()
        await expect.poll(() => problem.innerText()).toBe('')
        await page.keyboard.press('Control+Home')
        await live.locator('.cm-line').first().getByText(file).waitFor()
      })

      test('changes a behaviour, and keeps it while the reader looks at another framework', async () => {
        const { page, live, edit, write } = await openSample()
        await edit()
        await live.getByRole('button', { name: 'api.ts' }).click()
        const api = readFileSync(`${root}docs/examples/optimistic/api.ts`, 'utf8')
        await write(api.replace('  optimistic,\n', ''))
        await live.getByText('TodoList, edited').waitFor()
        await live.locator('[data-live="running"]').getByText('3 open').waitFor()
        const log = live.getByRole('log').getByRole('listitem')
        await live.getByLabel('Slow').check()
        await live.getByLabel('Answer the survey').click()
        await log.getByText('PATCH /todo/2').waitFor()
        // No longer before the answer.
        expect(await live.getByText('3 open').count()).toBe(1)
        await live.getByLabel('Slow').uncheck()
        await live.getByText('2 open').waitFor()

        const other = framework === 'vue' ? 'React' : 'Vue'
        await page.getByLabel('Framework of the code samples').selectOption(other)
        await live.getByText('TodoList, live').waitFor()
        await live.locator('[data-live="running"]').getByText('3 open').waitFor()
        await page.getByLabel('Framework of the code samples').selectOption({ value: framework })
        await live.getByText('TodoList, edited').waitFor()
        await live.getByRole('button', { name: 'api.ts' }).click()
        const shown = await live.getByRole('textbox', { name: 'Code of api.ts' }).innerText()
        expect(shown).toContain('schema: Todo,')
        expect(shown).not.toContain('optimistic,')
      })

      test(`can be used with keys and be read in the ${look.colorScheme}`, async () => {
        const { page, live, write } = await openSample(look)
        await live.getByRole('button', { name: 'Edit', exact: true }).focus()
        await page.keyboard.press('Enter')
        const box = live.getByRole('textbox', { name: `Code of ${file}` })
        await box.waitFor()
        const hasFocus = () => box.evaluate((element) => element === document.activeElement)
        await expect.poll(hasFocus).toBe(true)
        await write(code.replace('const controller =', 'const controller = ='))
        const place = live.locator('.live-problem').getByRole('button')
        await place.waitFor()
        expect(await violationsOf(page, '.live')).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.viewport.width)
        // Out of the editor, both ways, and from the error to its line.
        await page.keyboard.press('Shift+Tab')
        expect(await hasFocus()).toBe(false)
        await page.keyboard.press('Tab')
        expect(await hasFocus()).toBe(true)
        await page.keyboard.press('Tab')
        expect(await place.evaluate((element) => element === document.activeElement)).toBe(true)
        await page.keyboard.press('Enter')
        expect(await hasFocus()).toBe(true)
      })
    },
  )

  test.each(['core/types-observer', 'core/types-schema', 'core/ControllerOptions', 'core-rest/types-rest'])(
    'reference/%s is a page that one can read to its end',
    async (name) => {
      const { page } = await open()
      await page.goto(`${site.url}/reference/${name}.html`)
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      expect(height).toBeLessThan(14_000)
      // It stands in the sidebar of its entry.
      const current = page.locator('.VPSidebar .is-active').last()
      expect((await current.innerText()).length).toBeGreaterThan(3)
    },
  )

  test.each(ofTurn(['react', 'vue', 'svelte'] as const))(
    'the playground in %s runs its eight examples, has the code in its address, and needs no network',
    async (framework) => {
      const { context, page } = await open()
      await page.goto(`${site.url}/play.html#framework=${framework}`)
      const play = page.locator('.playground')
      const example = play.getByRole('combobox', { name: 'Example' })
      const records = play.getByRole('list', { name: 'Records' })
      const names = await example.locator('option').allTextContents()
      expect(names).toHaveLength(8)
      for (const label of names) {
        await example.selectOption({ label })
        await play.locator('[data-live="running"]').waitFor()
        await records.getByText('Todo ', { exact: false }).first().waitFor()
        expect([label, await play.locator('.live-problem').innerText()]).toEqual([label, ''])
      }

      await example.selectOption({ label: 'Optimistic, and taken back' })
      const editor = play.getByRole('textbox', { name: /^Code of TodoList/ })
      await editor.focus()
      await page.keyboard.press('Control+a')
      const extension = { react: 'tsx', vue: 'vue', svelte: 'svelte' }[framework]
      const code = readFileSync(`${root}docs/examples/optimistic/TodoList.${extension}`, 'utf8')
      await page.keyboard.insertText(code.replace(' open<', ' to do<'))
      await play.getByText('3 to do').waitFor()
      await play.getByLabel('Answer the survey').click()
      await records.getByText('"title":"Answer the survey","completed":true').waitFor()

      await expect.poll(() => page.url()).toContain('code=')
      const other = await context.newPage()
      await other.goto(page.url())
      await other.getByText('3 to do').waitFor()
      await other.close()

      await page.locator('html[data-offline="ready"]').waitFor()
      await context.setOffline(true)
      await page.reload()
      await play.getByText('3 to do').waitFor()
      await play.getByRole('tab', { name: framework === 'vue' ? 'Svelte' : 'Vue' }).click()
      await play.getByText('3 open').waitFor()
    },
  )

  test('what runs a sample is loaded when it comes into view', async () => {
    const { page } = await open()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto(`${site.url}/mutations.html`)
    await page.locator('.live').first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    const isOfSample = (path: string) => /EditTodo|react|same-members/.test(path)
    expect(loaded.filter(isOfSample)).toEqual([])
    await page.locator('.live').first().scrollIntoViewIfNeeded()
    await page.locator('.live [data-live="running"]').first().waitFor()
    expect(loaded.filter(isOfSample).length).toBeGreaterThan(1)
  })

  test.each([
    // An exact name is its page of the reference, in the framework of the reader.
    ['useSuspenseAll', /^\/reference\/react\/useSuspenseAll/],
    ['Controller', /^\/reference\/core\/Controller/],
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

  /** What readers come for, in words of their own, and the page that shows it. */
  const tasks = [
    ['fetch when a filter changes', 'Read data', /^\/reading/],
    ['several calls in parallel', 'Read data', /^\/reading/],
    ['load more on scroll', 'Pagination', /^\/pagination/],
    ['sign out', 'Sign in and out', /^\/authentication/],
    ['show a spinner while saving', 'Mutations', /^\/mutations\.html#show-a-spinner-while-saving/],
    ['delete optimistically', 'Optimistic updates', /^\/optimistic\.html#delete-optimistically/],
    ['upload with progress', 'Images and files', /^\/media\.html#upload-with-progress/],
    ['undo when the server refuses', 'Optimistic updates', /^\/(?:optimistic|mutations)/],
    ['keep changes over a reload', 'Offline', /^\/offline/],
    ['retry a failed request', 'Important defaults', /^\/(?:defaults|middleware|error-handling|faq|hooks)/],
    ['receive messages from a websocket', 'Live data', /^\/live/],
    ['test a component without a server', 'Testing', /^\/testing/],
    ['upload a file with progress', 'Images and files', /^\/media/],
    ['migrate from RTK Query', 'RTK Query', /^\/migrating\/from-rtk-query/],
  ] as const

  test.each(tasks)('“%s” is found by one search, or by the sidebar', async (text, entry, guide) => {
    const { page } = await open()
    await page.goto(`${site.url}/start.html`)
    // Folded groups take one click, their entries another.
    for (const fold of await page.locator('.VPSidebar').getByRole('button', { name: 'toggle section' }).all())
      await fold.click()
    const link = page.locator('.VPSidebar').getByRole('link', { name: entry, exact: true })
    await link.waitFor({ state: 'attached' })
    expect(await link.getAttribute('href')).toBeTruthy()
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.locator('.VPLocalSearchBox input').fill(text)
    const results = page.locator('.VPLocalSearchBox .result')
    await expect
      .poll(async () => {
        const links = await results.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
        return links.slice(0, 3).some((href) => {
          const { pathname, hash } = new URL(href, 'http://site')
          return guide.test(pathname + hash)
        })
      })
      .toBe(true)
  })

  test('the switch leads from a page for one framework to the same for another', async () => {
    const { page } = await open()
    await page.goto(`${site.url}/server-rendering/react.html`)
    const entry = page.locator('.VPSidebar').getByRole('link', { name: /^with / })
    expect(await entry.filter({ visible: true }).allTextContents()).toEqual([
      'with React and Next',
      'with Astro',
    ])
    await page.getByLabel('Framework of the code samples').selectOption('Svelte')
    await page.getByRole('heading', { level: 1, name: 'Server rendering with Svelte' }).waitFor()
    expect(await entry.filter({ visible: true }).allTextContents()).toEqual(['with SvelteKit', 'with Astro'])
  })

  test('the install command follows the switch', async () => {
    const { page } = await open()
    await page.goto(`${site.url}/start.html`)
    const shown = page.locator('.framework-tabs').first().getByRole('tabpanel')
    expect(await shown.innerText()).toContain('@selfsame/react')
    await page.getByLabel('Framework of the code samples').selectOption('Vue')
    expect(await shown.innerText()).toContain('npm install @selfsame/core @selfsame/vue')
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
