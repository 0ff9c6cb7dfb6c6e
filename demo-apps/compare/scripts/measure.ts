import { chromium, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '@selfsame/conformance/chromium'
import type { ServedPage } from './serve.js'

/** The requests and renders of one side in a step. */
export interface Counted {
  readonly requests: number
  readonly renders: number
}

/** The work of both sides in each step, in order: by title of the step, and by id of the library. */
export type Measured = ReadonlyMap<string, ReadonlyMap<string, Counted>>

/**
 * Runs the script of the page in Chromium, and reads its score.
 *
 * @throws if the script fails, or if the page logs an error that was not provoked
 */
export async function measure({ url }: Pick<ServedPage, 'url'>): Promise<Measured> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const messages = messagesOf(page)
    await page.goto(url)
    await runScript(page)
    if (messages.length > 0) throw new Error(`The page wrote to the console: ${messages.join('\n')}`)
    return await scoreOf(page)
  } finally {
    await browser.close()
  }
}

/** Presses "Run the script", and waits for its end. @throws with what the page says, if the script fails */
export async function runScript(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run the script' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.getByRole('button', { name: 'Run the script' }).waitFor({ timeout: 90_000 })
  const said = (await page.locator('#status').textContent()) ?? ''
  if (!said.startsWith('Done in')) throw new Error(said)
}

/** What the table of the steps says. */
export async function scoreOf(page: Page): Promise<Measured> {
  const rows = await page.locator('[data-step]').evaluateAll((elements) =>
    elements.map((row) => ({
      title: row.getAttribute('data-step') ?? '',
      counts: [...row.querySelectorAll('[data-of]')].map((cell) => [
        cell.getAttribute('data-of') ?? '',
        Number(cell.textContent),
      ]) as [string, number][],
    })),
  )
  return new Map(
    rows.map(({ title, counts }) => {
      const count = new Map(counts)
      const of = (id: string): Counted => ({
        requests: count.get(`requests ${id}`) ?? Number.NaN,
        renders: count.get(`renders ${id}`) ?? Number.NaN,
      })
      return [title, new Map(['tanstack', 'selfsame'].map((id) => [id, of(id)]))]
    }),
  )
}

/** Collects what a page writes to the console, without what is provoked. */
export function messagesOf(page: Page): string[] {
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
