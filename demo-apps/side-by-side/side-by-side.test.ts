import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { violationsOf } from '@selfsame/conformance/axe'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import { shiftOf, watchShifts } from '@selfsame/conformance/layout-shift'
import { frameworks, ofTurn, type Framework } from '@selfsame/conformance/turn'
import { startDemo, type Demo } from '@selfsame/demo'

let demo: Demo
let browser: Browser
// Shared by all tests, because its cache holds the modules of the page.
let context: BrowserContext
let page: Page
let consoleErrors: string[]

beforeAll(async () => {
  demo = await startDemo({ sizes: { users: 4, articles: 12 } })
  browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  context = await browser.newContext()
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

beforeEach(async () => {
  await send('POST', '/_reset')
  consoleErrors = []
  page = await context.newPage()
  page.setDefaultTimeout(40_000)
  // A resource that failed to load is named only by the location.
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => consoleErrors.push(String(error)))
})

afterEach(async () => {
  await page.close()
  expect(consoleErrors).toEqual([])
})

describe('reading', () => {
  test('lists the same articles in all panes, by one request', async () => {
    await openPage()
    const titles = await Promise.all(
      frameworks.map((name) => pane(name).locator('.row-title').allTextContents()),
    )
    expect(titles[0]).toHaveLength(12)
    expect(titles[1]).toEqual(titles[0])
    expect(titles[2]).toEqual(titles[0])
    await expect
      .poll(() => page.getByRole('list', { name: 'Counters' }).innerText())
      .toMatch(/^2 requests\s+3 frameworks\s+0 refetches\s+4 requests saved/)
  })

  test('shows the newest article in all panes from the start, by one request', async () => {
    await openPage()
    const [newest] = await pane('React').locator('.row-title').allTextContents()
    for (const name of frameworks)
      expect((await pane(name).locator('.detail h3').textContent())?.trim()).toBe(newest)
    expect(await requests()).toEqual(['GET /article', expect.stringMatching(/^GET \/article\/\d+$/)])
  })

  test('tells why each request was sent, and why one was not', async () => {
    await openPage()
    const log = page.getByRole('list', { name: 'Requests, newest first' })
    for (const path of [/^GET \/article 200/, /^GET \/article\/\d+ 200/])
      await expect
        .poll(async () => (await log.innerText()).split(/\n(?=GET|PATCH|Read)/).map(inOneLine))
        .toContainEqual(expect.stringMatching(path))
    await expect
      .poll(async () => inOneLine(await log.innerText()))
      .toMatch(
        /^GET .* mounted; nothing was cached\. React, Vue, and Svelte share it\. GET .* mounted; nothing was cached\. React, Vue, and Svelte share it\.$/,
      )
    await openArticle('React', 1)
    await openArticle('Vue', 1)
    await log.getByText('Not fetched: its data is Valid for another').waitFor()
    await press('Vue', 'Rename')
    await pane('Vue').getByLabel('Name of the author').fill('Explained')
    await press('Vue', 'Save')
    await log.getByText(/Not refetched: .*the list/).waitFor()
  })

  test('asks for an article once, whichever pane shows it next', async () => {
    await openPage()
    await forgetRequests()
    for (const name of frameworks) await openArticle(name, 1)
    expect(await requests()).toEqual([expect.stringMatching(/^GET \/article\/\d+$/)])
  })

  test('filters each pane for itself, without a request', async () => {
    await openPage()
    await forgetRequests()
    for (const name of frameworks) {
      const title = (await pane(name).locator('.row-title').first().textContent()) ?? ''
      await pane(name).getByRole('searchbox').fill(title)
      await pane(name).locator('.row').nth(1).waitFor({ state: 'detached' })
      expect(await pane(name).locator('.row-title').allTextContents()).toEqual([title])
      await pane(name).getByRole('searchbox').fill('no such thing')
      await pane(name).getByText('No article matches “no such thing”.').waitFor()
    }
    expect(await requests()).toEqual([])
  })
})

describe.each(ofTurn(frameworks))('an edit in the %s pane', (name) => {
  test('is in the others at once, by one request', async () => {
    await openPage()
    await openEverywhere(0)
    await forgetRequests()
    const title = `Written in ${name}`
    const own = pane(name)
    await press(name, 'Edit')
    await field(own, 'Title').fill(title)
    await field(own, 'Text').fill('A new text.')
    await press(name, 'Save')
    expect(await panesOneFrameLater(title)).toEqual(frameworks)
    for (const other of frameworks) {
      expect(await pane(other).locator('.row-title').first().textContent()).toBe(title)
      expect(await pane(other).locator('.detail h3').textContent()).toBe(title)
      expect(await pane(other).locator('.content').textContent()).toBe('A new text.')
    }
    expect(await requests()).toEqual([expect.stringMatching(/^PATCH \/article\/\d+$/)])
  })

  test('of an author changes every article that he wrote, in all panes', async () => {
    await openPage()
    await openEverywhere(0)
    const before = (await pane(name).locator('.author strong').textContent()) ?? ''
    const written = await pane(name).locator('.row-facts', { hasText: before }).count()
    expect(written).toBeGreaterThan(1)
    await forgetRequests()
    const author = `Renamed in ${name}`
    await press(name, 'Rename')
    await pane(name).getByLabel('Name of the author').fill(author)
    await press(name, 'Save')
    expect(await panesOneFrameLater(author)).toEqual(frameworks)
    for (const other of frameworks) {
      expect(await pane(other).locator('.row-facts', { hasText: author }).count()).toBe(written)
      expect(await pane(other).locator('.author strong').textContent()).toBe(author)
      expect(await pane(other).getByText(before).count()).toBe(0)
    }
    expect(await requests()).toEqual([expect.stringMatching(/^PATCH \/user\/\d+$/)])
  })

  test('that creates and then deletes an article shows in all', async () => {
    await openPage()
    await forgetRequests()
    const own = pane(name)
    const title = `New from ${name}`
    await press(name, 'New')
    await field(own, 'Title').fill(title)
    await own.getByRole('combobox', { name: 'Author' }).selectOption({ index: 1 })
    await press(name, 'Create')
    for (const other of frameworks) await row(other, title).waitFor()
    await own.getByRole('heading', { name: title }).waitFor()
    expect(await requests()).toEqual(['POST /article'])

    await openEverywhere(0)
    await forgetRequests()
    await press(name, 'Delete')
    for (const other of frameworks) {
      await row(other, title).waitFor({ state: 'detached' })
      await pane(other).getByText('Select an article to read and edit it.').waitFor()
      await pane(other).getByText('12 articles').waitFor()
    }
    expect(await requests()).toEqual([expect.stringMatching(/^DELETE \/article\/\d+$/)])
  })

  test('that fails leaves the text in the form, and is made by saving again', async () => {
    await openPage()
    await openEverywhere(0)
    await failNext()
    const own = pane(name)
    await press(name, 'Edit')
    await field(own, 'Title').fill('At the second attempt')
    await press(name, 'Save')
    await own.getByRole('alert').getByText('The server has a problem at the moment.').waitFor()
    expect(await own.getByText('503').isVisible()).toBe(false)
    await own.getByText('For developers').click()
    expect(await own.getByText('503').isVisible()).toBe(true)
    expect(await field(own, 'Title').inputValue()).toBe('At the second attempt')
    await press(name, 'Save')
    for (const other of frameworks) await row(other, 'At the second attempt').waitFor()
    takeProvokedErrors()
  })
})

describe.each(ofTurn(frameworks))('the focus in the %s pane', (name) => {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document
      const { textContent = '', tagName } = element ?? {}
      return `${element?.closest('.pane')?.querySelector('h2')?.textContent}: ${tagName} ${textContent?.trim()}`
    })
  const focusIs = async (what: string) => {
    await expect.poll(focused).toBe(`${name}: ${what}`)
  }

  test('stays where the user is after Escape, Cancel, Save and Create', async () => {
    await openPage()
    await openArticle(name, 0)
    for (const [button, end] of [
      ['Edit', 'Escape'],
      ['Edit', 'Cancel'],
      ['Edit', 'Save'],
      ['Rename', 'Escape'],
      ['Rename', 'Cancel'],
      ['Rename', 'Save'],
      ['New', 'Escape'],
      ['New', 'Cancel'],
    ] as const) {
      await press(name, button)
      await expect.poll(focused).toContain('INPUT')
      if (end === 'Escape') await page.keyboard.press('Escape')
      else await press(name, end)
      await focusIs(`BUTTON ${button}`)
    }
    await press(name, 'New')
    await field(pane(name), 'Title').fill('New and focused')
    await page.keyboard.press('Enter')
    await focusIs('H3 New and focused')
  })

  test('goes to Undo after a delete, and to the article that is back', async () => {
    await openPage()
    await openEverywhere(1)
    const titles = await pane(name).locator('.row-title').allTextContents()
    const [, title = ''] = titles
    await press(name, 'Delete')
    await focusIs('BUTTON Undo')
    for (const other of frameworks) await row(other, title).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await focusIs(`H3 ${title}`)
    for (const other of frameworks) {
      await pane(other).getByRole('heading', { name: title }).waitFor()
      expect(await pane(other).locator('.row-title').allTextContents()).toEqual(titles)
    }
  })

  test('stays in the list when that is tried again, and on Save when that failed', async () => {
    await openPage()
    await openArticle(name, 0)
    await failNext()
    await page.getByRole('button', { name: 'Reload the list' }).click()
    await press(name, 'Try again')
    await pane(name).locator('.row').first().waitFor()
    expect(await focused()).toContain(`${name}: DIV`)
    await failNext()
    await press(name, 'Edit')
    await press(name, 'Save')
    await pane(name).getByRole('alert').waitFor()
    await focusIs('BUTTON Save')
    takeProvokedErrors()
  })
})

test.each(ofTurn(frameworks))(
  'the list of %s is one tab stop with arrow keys, and a name is selected to be renamed',
  async (name) => {
    await openPage()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const titles = await pane(name).locator('.row').allTextContents()
    await pane(name).getByRole('button', { name: 'New' }).focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe(titles[0])
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(titles[1])
    await page.keyboard.press('End')
    expect(await focused()).toBe(titles.at(-1))
    await page.keyboard.press('Home')
    await page.keyboard.press('Tab')
    expect((await focused())?.trim()).toBe('Rename')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => String(getSelection()))).not.toBe('')
  },
)

test('the address has what each pane shows, through a reload and back', async () => {
  await openPage()
  const titles: string[] = []
  const first = (await pane('React').locator('.detail h3').textContent())?.trim() ?? ''
  for (const [index, name] of frameworks.entries()) {
    await openArticle(name, index + 1)
    titles.push((await pane(name).locator('.detail h3').textContent())?.trim() ?? '')
    await pane(name)
      .getByRole('searchbox')
      .fill(titles[index] ?? '')
  }
  const param = (name: string) => new URL(page.url()).searchParams.get(name)
  await expect.poll(() => param('svelte.filter')).toBe(titles[2])
  expect(param('vue')).toMatch(/^\d+$/)
  await page.reload()
  for (const [index, name] of frameworks.entries()) {
    await pane(name)
      .getByRole('heading', { name: titles[index] ?? '' })
      .waitFor()
    expect(await pane(name).getByRole('searchbox').inputValue()).toBe(titles[index])
    expect(await pane(name).locator('.row-title').allTextContents()).toEqual([titles[index]])
  }
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  for (const name of frameworks.toReversed()) {
    await page.goBack()
    await pane(name).getByRole('heading', { name: first }).waitFor()
  }
})

describe('the server', () => {
  test('that is slow shows the loading state in all panes', async () => {
    await openPage()
    await page.getByRole('switch', { name: 'Slow server' }).check()
    await knobIs(1)
    await page.getByRole('button', { name: 'Reload the list' }).click()
    for (const name of frameworks)
      await pane(name).getByRole('status', { name: 'Loading articles' }).waitFor()
    await page.getByRole('switch', { name: 'Slow server' }).uncheck()
    await listsShown()
    for (const name of frameworks) {
      expect(await pane(name).getByRole('status', { name: 'Loading articles' }).isVisible()).toBe(false)
    }
  })

  test.each(ofTurn(frameworks))(
    'that fails shows the error state in all panes, and %s can try again',
    async (name) => {
      await openPage()
      await failNext()
      await forgetRequests()
      await page.getByRole('button', { name: 'Reload the list' }).click()
      for (const other of frameworks) {
        await pane(other).getByRole('alert').getByText('The server has a problem at the moment.').waitFor()
        expect(await pane(other).getByText('503').isVisible()).toBe(false)
      }
      expect(await requests()).toEqual(['GET /article'])
      // A read changes nothing, so its error does not say so; and it is shown whole.
      expect(await pane(name).getByText('Nothing was changed').count()).toBe(0)
      expect(
        await pane(name)
          .locator('.list')
          .evaluate((list) => list.scrollHeight <= list.clientHeight),
      ).toBe(true)
      await press(name, 'Try again')
      await pane(name).locator('.row').first().waitFor()
      // The shared cache has the data, so every pane shows it without a reset of its own.
      await listsShown()
      for (const other of frameworks) expect(await pane(other).getByRole('alert').isVisible()).toBe(false)
      expect(await requests()).toEqual(['GET /article', 'GET /article'])
      takeProvokedErrors()
    },
  )

  test('is put back by a reset, and the panes with it', async () => {
    await openPage()
    const titles = await pane('Vue').locator('.row-title').allTextContents()
    await openArticle('Vue', 0)
    await press('Vue', 'Delete')
    await pane('React').getByText('11 articles').waitFor()
    await page.getByRole('button', { name: 'Reset data' }).click()
    for (const name of frameworks) {
      await pane(name).getByText('12 articles').waitFor()
      await pane(name).locator('.row').first().waitFor()
      expect(await pane(name).locator('.row-title').allTextContents()).toEqual(titles)
    }
  })
})

describe('another client', () => {
  test('that edits an article is followed by all panes, without a request of theirs', async () => {
    await openPage()
    await openEverywhere(0)
    await eventsAreHeard()
    await forgetRequests()
    await page.getByRole('button', { name: 'Edit elsewhere' }).click()
    for (const name of frameworks) {
      await pane(name).locator('.row-title', { hasText: 'Edited elsewhere' }).waitFor()
      await pane(name).locator('.detail h3', { hasText: 'Edited elsewhere' }).waitFor()
    }
    expect(await requests()).toEqual([expect.stringMatching(/^PATCH \/article\/\d+$/)])
  })

  test('that is no page creates and deletes an article in all panes', async () => {
    await openPage()
    await eventsAreHeard()
    await forgetRequests()
    const title = 'Created elsewhere'
    const body = JSON.stringify({ title, content: '' })
    const created = await fetch(`${demo.restUrl}/article`, { method: 'POST', body })
    const { id } = (await created.json()) as { readonly id: number }
    for (const name of frameworks) await row(name, title).waitFor()
    await send('DELETE', `/article/${id}`)
    for (const name of frameworks) await row(name, title).waitFor({ state: 'detached' })
    expect(await requests()).toEqual(['POST /article', `DELETE /article/${id}`])
  })

  test('that deletes an article on show takes it from all panes, without a request of theirs', async () => {
    await openPage()
    await eventsAreHeard()
    await openEverywhere(0)
    await forgetRequests()
    const id = Number(new URL(page.url()).searchParams.get('react'))
    await send('DELETE', `/article/${id}`)
    for (const name of frameworks) {
      await pane(name).getByText('Select an article to read and edit it.').waitFor()
      await pane(name).getByText('11 articles').waitFor()
    }
    expect(await requests()).toEqual([`DELETE /article/${id}`])
  })
})

describe('an edit is optimistic', () => {
  test('so a slow server is not waited for', async () => {
    await openPage()
    await page.getByRole('switch', { name: 'Slow server' }).check()
    await knobIs(1)
    await press('Svelte', 'Edit')
    await field(pane('Svelte'), 'Title').fill('Shown early')
    await press('Svelte', 'Save')
    expect(await panesOneFrameLater('Shown early')).toEqual(frameworks)
    expect(await page.locator('[data-outcome=pending]').count()).toBe(1)
    await pane('Svelte').getByRole('button', { name: 'Edit' }).waitFor()
    expect(await row('React', 'Shown early').count()).toBe(1)
  })

  test('and is taken back in all panes when the server refuses it', async () => {
    await openPage()
    const [before = ''] = await pane('React').locator('.row-title').allTextContents()
    await failNext()
    await page.getByRole('switch', { name: 'Slow server' }).check()
    await knobIs(2)
    await press('React', 'Edit')
    await field(pane('React'), 'Title').fill('Refused')
    await press('React', 'Save')
    for (const name of frameworks) await row(name, 'Refused').waitFor()
    await pane('React').getByRole('alert').getByText('Nothing was changed.').waitFor()
    for (const name of frameworks) {
      expect(await row(name, 'Refused').count()).toBe(0)
      expect(await row(name, before).count()).toBe(1)
    }
    expect(await field(pane('React'), 'Title').inputValue()).toBe('Refused')
    takeProvokedErrors()
  })
})

describe('Play', () => {
  test('tells the story of the page by itself, with captions, and leaves the server as it was', async () => {
    await page.addInitScript(() => {
      Object.assign(globalThis, { captions: [] })
      new MutationObserver(() => {
        const text = document.getElementById('caption')?.textContent
        const { captions } = globalThis as unknown as { captions: string[] }
        if (text && captions.at(-1) !== text) captions.push(text)
      }).observe(document, { subtree: true, childList: true, characterData: true })
    })
    await openPage()
    await forgetRequests()
    await page.getByRole('button', { name: 'Play' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByText('0 refetches', { exact: false }).and(page.locator('#caption')).waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    const captions = await page.evaluate(() => (globalThis as unknown as { captions: string[] }).captions)
    expect(captions).toHaveLength(6)
    expect(captions.at(-1)).toMatch(/^6 requests, 0 refetches, \d+ requests saved\./)
    expect(await requests()).toEqual([
      expect.stringMatching(/^GET \/article\/\d+$/),
      expect.stringMatching(/^PATCH \/user\/\d+$/),
      expect.stringMatching(/^PATCH \/article\/\d+$/),
      expect.stringMatching(/^PATCH \/article\/\d+$/),
    ])
    for (const name of frameworks) {
      expect(await pane(name).locator('.detail h3').textContent()).toBe('Shown before the server knew')
      expect(await pane(name).locator('.author strong').textContent()).toBe('Ada Lovelace')
    }
    await knobIs(0)
    takeProvokedErrors()
  })

  test('says in view of a phone what it does, moves nothing by that, and ends when its bar is closed', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openPage()
    const top = () => page.locator('.panes').evaluate((panes) => panes.getBoundingClientRect().top + scrollY)
    const before = await top()
    await page.getByRole('button', { name: 'Play' }).click()
    const caption = page.locator('#caption', { hasText: 'Another article' })
    await caption.waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
    const { y = -1, height = 0 } = (await caption.boundingBox()) ?? {}
    expect(y).toBeGreaterThanOrEqual(0)
    expect(height).toBeLessThan(60)
    expect(await top()).toBe(before)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    expect(await page.locator('#caption').textContent()).toBe('')
  })
})

test('shows the panes with the form whole, at 1440 by 900', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openPage()
  for (const name of frameworks) {
    const list = await pane(name).locator('.list').boundingBox()
    expect(list?.height).toBeGreaterThan(200)
    await press(name, 'Edit')
    const text = await field(pane(name), 'Text').boundingBox()
    expect((text?.y ?? 900) + (text?.height ?? 0)).toBeLessThan(900)
    expect(
      await pane(name)
        .locator('.detail')
        .evaluate((part) => part.scrollHeight <= part.clientHeight),
    ).toBe(true)
  }
})

test.each([
  [1280, 680],
  [1280, 768],
  [1360, 820],
])('shows the buttons of each pane, at %i by %i', async (width, height) => {
  await page.setViewportSize({ width, height })
  await openPage()
  for (const name of frameworks) {
    const whole = (await pane(name).boundingBox())!
    const button = (await pane(name).getByRole('button', { name: 'Delete' }).boundingBox())!
    expect(whole.height).toBeLessThan(height)
    expect(button.y + button.height).toBeLessThan(whole.y + whole.height)
  }
})

test('a burst of 10,000 prices is shown by few notifications', async () => {
  await openPage()
  const count = async (name: string) =>
    Number((await page.getByLabel(name).textContent())?.replaceAll(',', ''))
  await expect.poll(() => count('Prices received')).toBeGreaterThan(0)
  const [prices, notifications] = [await count('Prices received'), await count('Notifications')]
  await page.getByRole('button', { name: '10,000 prices' }).click()
  await expect
    .poll(() => count('Prices received'), { timeout: 15_000 })
    .toBeGreaterThanOrEqual(prices + 10_000)
  const told = page.getByLabel('What the burst shows').getByText('10,000 prices were stored in')
  const shownBy = /caused (\d+) notifications/.exec((await told.textContent()) ?? '')?.[1]
  expect(Number(shownBy)).toBeGreaterThan(0)
  expect(Number(shownBy)).toBeLessThan(500)
  expect((await count('Notifications')) - notifications).toBeGreaterThanOrEqual(Number(shownBy))
  // Offline they stop; a price that is on its way still arrives.
  await page.getByRole('switch', { name: 'Offline' }).check()
  await page.waitForTimeout(300)
  const last = await count('Prices received')
  await page.waitForTimeout(1500)
  expect(await count('Prices received')).toBe(last)
  await page.getByRole('switch', { name: 'Offline' }).uncheck()
  await expect.poll(() => count('Prices received')).toBeGreaterThan(last)
})

test.each([1280, 390])('axe finds nothing at a width of %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 900 })
  await openPage()
  await openEverywhere(0)
  for (const scheme of ['light', 'dark'] as const) {
    // Without motion: during a transition between color schemes, colors have too little contrast.
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    expect(await violationsOf(page)).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
})

test.each(ofTurn([1440, 1024, 390]))(
  'nothing moves while a page of the demo loads, and axe finds nothing, at a width of %i pixels',
  async (width) => {
    const demoPages = [
      '/side-by-side/',
      '/compare/',
      '/rows/',
      '/pages/',
      '/source/docs/README.md',
      '/nowhere',
    ]
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript(watchShifts)
    for (const path of [...demoPages, '/react/journal']) {
      await page.goto(demo.url + path)
      await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {
        // A page with live data always has a connection.
      })
      expect([path, await shiftOf(page), await violationsOf(page)]).toEqual([path, 0, []])
    }
    // The browser tells of the page that is not there.
    consoleErrors = consoleErrors.filter((text) => !text.includes('404'))
  },
)

async function openPage(): Promise<void> {
  await page.goto(`${demo.url}/side-by-side/`)
  await listsShown()
  for (const name of frameworks) await pane(name).locator('.detail h3').waitFor()
}

/** Without line breaks. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

async function listsShown(): Promise<void> {
  for (const name of frameworks) await pane(name).locator('.row').first().waitFor()
}

function pane(name: Framework): Locator {
  return page.getByRole('region', { name, exact: true })
}

function row(name: Framework, title: string): Locator {
  return pane(name).getByRole('list', { name: 'Articles' }).getByRole('button', { name: title })
}

function field(form: Locator, label: string): Locator {
  return form.getByRole('textbox', { name: label, exact: true })
}

async function press(name: Framework, button: string): Promise<void> {
  await pane(name).getByRole('button', { name: button, exact: true }).click()
}

async function openArticle(name: Framework, index: number): Promise<void> {
  const row = pane(name).locator('.row').nth(index)
  const title = (await row.locator('.row-title').textContent())?.trim() ?? ''
  await row.click()
  await pane(name).locator('.detail').getByRole('heading', { name: title }).waitFor()
}

async function openEverywhere(index: number): Promise<void> {
  for (const name of frameworks) await openArticle(name, index)
}

/**
 * The panes that show a text in the frame after the first one showed it. React renders in a task of its own, and a frame
 * may be painted between it and the microtasks in which Vue and Svelte render.
 */
async function panesOneFrameLater(text: string): Promise<string[]> {
  const shown = await page.waitForFunction(async (wanted) => {
    const panes = [...document.querySelectorAll<HTMLElement>('.pane')]
    const showing = () =>
      panes
        .filter((element) => element.textContent.includes(wanted))
        .map((element) => element.querySelector('h2')?.textContent ?? '')
    if (showing().length === 0) return null
    await new Promise(requestAnimationFrame)
    return showing()
  }, text)
  return (await shown.jsonValue()) ?? []
}

/** Waits until the page receives changes of other clients, by making one. */
async function eventsAreHeard(): Promise<void> {
  const title = (await pane('Vue').locator('.row-title').last().textContent()) ?? ''
  const articles = (await (await send('GET', '/article?limit=100')).json()) as readonly {
    readonly id: number
    readonly title: string
  }[]
  const id = articles.find((article) => article.title === title)?.id ?? 0
  await expect
    .poll(async () => {
      const body = JSON.stringify({ title: `${title}.` })
      await fetch(`${demo.restUrl}/article/${id}`, { method: 'PATCH', body })
      return pane('Vue').locator('.row-title').last().textContent()
    })
    .toBe(`${title}.`)
}

/** The requests since the log was last cleared. */
async function requests(): Promise<string[]> {
  const response = await send('GET', '/_requests')
  const logged = (await response.json()) as { readonly method: string; readonly path: string }[]
  return logged.map(({ method, path }) => `${method} ${path}`)
}

async function forgetRequests(): Promise<void> {
  await send('DELETE', '/_requests')
}

async function failNext(): Promise<void> {
  await page.getByRole('switch', { name: 'Fail the next' }).click()
  await knobIs(1)
}

/** Waits until the server's knob has this many settings. */
async function knobIs(count: number): Promise<void> {
  await expect.poll(async () => (await (await send('GET', '/_knob')).json()) as unknown).toHaveLength(count)
}

function send(method: string, path: string): Promise<Response> {
  return fetch(demo.restUrl + path, { method })
}

/** Removes the console messages of a provoked error. There may be no others. */
function takeProvokedErrors(): void {
  expect(consoleErrors.filter((text) => !text.includes('503'))).toEqual([])
  consoleErrors = []
}
