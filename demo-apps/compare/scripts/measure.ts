import { chromium, type Locator, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import type { ServedPage } from './serve.js'

/** The requests and renders of one side in a step. */
export interface Work {
  readonly requests: number
  readonly renders: number
}

/** The work of both sides in each step, in order: by title of the step, and by name of the library. */
export type Measured = ReadonlyMap<string, ReadonlyMap<string, Work>>

/** The tools of a step: one side of the page, and the server. */
interface Stage {
  readonly side: Locator
  readonly send: (route: string, body?: unknown) => Promise<unknown>
}

type Step = readonly [title: string, act: (stage: Stage) => Promise<void>]

const steps: readonly Step[] = [
  ['open the page', ({ side }) => rows(side).first().waitFor()],
  ['open an article', ({ side }) => open(side, 3)],
  ['open another, and the first again', ({ side }) => openAndReturn(side)],
  ['search, typing 7 letters', ({ side }) => search(side)],
  ['clear the search', ({ side }) => clearSearch(side)],
  ['filter by an author', ({ side }) => filter(side)],
  ['show all authors again', ({ side }) => showAll(side)],
  ['edit the title', (stage) => edit(stage)],
  ['edit, and be refused', (stage) => editInVain(stage)],
  ['create an article', ({ side }) => create(side)],
  ['delete it', ({ side }) => remove(side)],
  ['another client edits the article shown', (stage) => editElsewhere(stage)],
  ['another client creates an article', (stage) => createElsewhere(stage)],
]

/**
 * Uses each side of the page in Chromium, and reads its counts.
 *
 * @throws if the sides show different content after a step, or if a page logs an error that was not provoked
 */
export async function measure({ url, restUrl }: ServedPage): Promise<Measured> {
  const measured = new Map(steps.map(([title]) => [title, new Map<string, Work>()]))
  const shown = new Map<string, string>()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  try {
    for (const name of ['TanStack Query', 'Selfsame']) {
      await send(restUrl, 'POST /_reset')
      // Delays responses, so that each run renders the states before them.
      await send(restUrl, 'POST /_knob', { route: '/*', delayMs: 40 })
      const page = await browser.newPage()
      page.setDefaultTimeout(60_000)
      const messages = listen(page)
      await page.goto(url)
      const side = page.getByRole('region', { name, exact: true })
      for (const [title, act] of steps) {
        if (title !== 'open the page') await side.getByRole('button', { name: 'Reset counts' }).click()
        await act({ side, send: (route, body) => send(restUrl, route, body) })
        measured.get(title)?.set(name, await settled(side))
        const text = (await side.locator('.articles, h3').allInnerTexts()).join('\n')
        if (shown.get(title) !== undefined && shown.get(title) !== text) {
          throw new Error(`After "${title}" the sides show:\n${shown.get(title)}\n\n${text}`)
        }
        shown.set(title, text)
      }
      await page.close()
      if (messages.length > 0) throw new Error(`The page wrote to the console: ${messages.join('\n')}`)
    }
  } finally {
    await browser.close()
  }
  return measured
}

/** The counts of a side, once no request is in flight and the counts are stable. */
async function settled(side: Locator): Promise<Work> {
  const page = side.page()
  let before: Work | undefined
  let now = await workOf(side)
  while (before === undefined || now.requests !== before.requests || now.renders !== before.renders) {
    await page.waitForFunction(() => document.querySelector('[data-under-way]') === null)
    await page.waitForTimeout(300)
    before = now
    now = await workOf(side)
  }
  return now
}

async function workOf(side: Locator): Promise<Work> {
  const count = async (label: string) => Number(await side.getByLabel(label, { exact: true }).textContent())
  return { requests: await count('requests'), renders: await count('renders') }
}

function rows(side: Locator): Locator {
  return side.getByRole('list', { name: 'Articles' }).getByRole('button')
}

async function open(side: Locator, index: number): Promise<void> {
  const title = await rows(side).nth(index).locator('span').textContent()
  await rows(side).nth(index).click()
  await side.getByRole('heading', { level: 3, name: title ?? '', exact: true }).waitFor()
}

async function openAndReturn(side: Locator): Promise<void> {
  await open(side, 5)
  await open(side, 3)
}

async function search(side: Locator): Promise<void> {
  const title = (await rows(side).nth(3).locator('span').textContent()) ?? ''
  await side.getByRole('searchbox').pressSequentially(title.slice(0, 7), { delay: 30 })
  await rows(side).nth(35).waitFor({ state: 'detached' })
}

async function clearSearch(side: Locator): Promise<void> {
  await side.getByRole('searchbox').fill('')
  await rows(side).nth(35).waitFor()
}

async function filter(side: Locator): Promise<void> {
  await side.getByRole('combobox', { name: 'Filter by author' }).selectOption({ index: 2 })
  await rows(side).nth(35).waitFor({ state: 'detached' })
}

async function showAll(side: Locator): Promise<void> {
  await side.getByRole('combobox', { name: 'Filter by author' }).selectOption({ index: 0 })
  await rows(side).nth(35).waitFor()
}

async function edit({ side }: Stage): Promise<void> {
  await writeTitle(side, 'Edited here')
  await rows(side).filter({ hasText: 'Edited here' }).waitFor()
}

async function editInVain({ side, send: tell }: Stage): Promise<void> {
  await tell('POST /_knob', { route: 'PATCH /article/:id', delayMs: 40, status: 503, times: 1 })
  await writeTitle(side, 'Refused')
  await side.getByRole('alert').waitFor()
  await side.getByRole('heading', { name: 'Edited here' }).waitFor()
}

async function writeTitle(side: Locator, title: string): Promise<void> {
  await side.getByRole('button', { name: 'Edit', exact: true }).click()
  await side.getByRole('textbox', { name: 'Title' }).fill(title)
  await side.getByRole('button', { name: 'Save' }).click()
}

async function create(side: Locator): Promise<void> {
  await side.getByRole('button', { name: 'New article' }).click()
  await side.getByRole('textbox', { name: 'Title' }).fill('Created here')
  await side.getByRole('combobox', { name: 'Author', exact: true }).selectOption({ index: 1 })
  await side.getByRole('button', { name: 'Save' }).click()
  await side.getByRole('heading', { name: 'Created here' }).waitFor()
  await rows(side).filter({ hasText: 'Created here' }).waitFor()
}

async function remove(side: Locator): Promise<void> {
  await side.getByRole('button', { name: 'Delete' }).click()
  await rows(side).filter({ hasText: 'Created here' }).waitFor({ state: 'detached' })
}

async function editElsewhere({ side, send: tell }: Stage): Promise<void> {
  await open(side, 3)
  const connected = side.page().waitForResponse((response) => response.url().includes('/events'))
  await side.getByRole('checkbox', { name: 'Live' }).check()
  await connected
  await settled(side)
  await side.getByRole('button', { name: 'Reset counts' }).click()
  const articles = (await tell('GET /article')) as readonly { readonly id: number; readonly title: string }[]
  const id = articles.find(({ title }) => title === 'Edited here')?.id
  await tell(`PATCH /article/${id}`, { title: 'Edited elsewhere' })
  await side.getByRole('heading', { name: 'Edited elsewhere' }).waitFor()
  await rows(side).filter({ hasText: 'Edited elsewhere' }).waitFor()
}

async function createElsewhere({ side, send: tell }: Stage): Promise<void> {
  await tell('POST /article', { title: 'Created elsewhere', content: '' })
  await rows(side).filter({ hasText: 'Created elsewhere' }).waitFor()
}

function listen(page: Page): string[] {
  const messages: string[] = []
  page.on('pageerror', (error) => messages.push(String(error)))
  page.on('console', (message) => {
    // Allowed messages: the browser logs the provoked 503, and React suggests its development tools.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('503')) {
      messages.push(message.text())
    }
  })
  return messages
}

async function send(url: string, route: string, body?: unknown): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(url + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${route} was answered with ${response.status}.`)
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}
