import { TanStackDevtoolsCore } from '@tanstack/devtools'
import type { TanStackDevtoolsPlugin } from '@tanstack/devtools'
import { TanStackDevtools } from '@tanstack/react-devtools'
import axe from 'axe-core'
import { StrictMode, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Controller, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { explain } from './index.js'
import { tanstackPlugin } from './tanstack.js'

// The shell of TanStack itself, with the panel as one of its tabs.

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

const articles = createResource({ urlPrefix: 'http://api', path: '/article/:id', schema: Article })

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})
// The shell writes what it shows there, also after its end.
beforeEach(() => localStorage.clear())

async function openShell(theme: 'light' | 'dark' = 'dark') {
  await page.viewport(1200, 800)
  const controller = new Controller({ fetch: async () => Response.json({ id: 5, title: 'First' }) })
  ends.push(() => controller.dispose())
  const plugin = tanstackPlugin(controller)
  ends.push(plugin.end)
  const element = document.body.appendChild(document.createElement('div'))
  ends.push(() => element.remove())
  const other: TanStackDevtoolsPlugin = {
    id: 'other',
    name: 'Other',
    render: (place) => (place.textContent = 'Of another library'),
  }
  const shell = new TanStackDevtoolsCore({
    plugins: [plugin, other],
    config: { theme, triggerMode: 'fixed' },
  })
  shell.mount(element)
  ends.push(() => shell.unmount())
  return { controller, plugin }
}

const panel = () => document.querySelector('selfsame-devtools')?.shadowRoot?.querySelector('.panel')
const detail = () => panel()?.querySelector('.detail')?.textContent ?? ''
const openByButton = () => page.getByRole('button', { name: 'Open TanStack Devtools' }).click()
/** Opens the tab. A click is made again if it fell into the opening of the shell, which lays itself out anew then. */
const openTab = () =>
  vi.waitFor(async () => {
    if (panel() === undefined) await page.getByText('Selfsame', { exact: true }).click()
    await vi.waitFor(() => expect(panel()).toBeDefined(), 4000)
  }, 20_000)
const clickInPanel = async (text: string) => {
  const find = () =>
    [...(panel()?.querySelectorAll('button') ?? [])].find((button) => button.textContent?.includes(text))
  await vi.waitFor(() => expect(find()).toBeDefined(), 20_000)
  find()!.click()
}

test('the shell has a tab with the whole panel, which knows the first request', async () => {
  const { controller } = await openShell()
  await controller.fetch(articles.get, { id: 5 })
  await openByButton()
  // Nothing of it is shown before somebody asks for it.
  await expect.element(page.getByText('Selfsame', { exact: true })).toBeVisible()
  expect(panel()).toBeUndefined()
  await openTab()
  await clickInPanel('Article.get 5')
  await vi.waitFor(() => expect(detail()).toContain('because controller.fetch was called'))
  await clickInPanel('Expire')
  await vi.waitFor(() => expect(detail()).toContain('made Stale'))
  await clickInPanel('Records')
  await clickInPanel('title: First')
  await vi.waitFor(() => expect(detail()).toContain('Article 5'))
  // The shell has its own place, and is closed by its own button.
  expect(
    panel()!.querySelector('[aria-label="Place of the panel"], [aria-label="Close the panel"]'),
  ).toBeNull()
  const { width, height } = panel()!.getBoundingClientRect()
  expect(width).toBeGreaterThan(1000)
  expect(height).toBeGreaterThan(200)
})

test.each([
  ['dark', 'rgb(22, 22, 29)'],
  ['light', 'rgb(255, 255, 255)'],
] as const)('it has the theme of the shell, and axe finds nothing: %s', async (theme, background) => {
  const { controller } = await openShell(theme)
  await controller.fetch(articles.get, { id: 5 })
  await openByButton()
  await openTab()
  await clickInPanel('Article.get 5')
  await vi.waitFor(() => expect(getComputedStyle(panel()!).backgroundColor).toBe(background))
  const { violations } = await axe.run(document.querySelector('selfsame-devtools')!)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
})

test('while the shell is closed there is no timer, and the recording goes on', async () => {
  const { controller } = await openShell()
  await openByButton()
  await openTab()
  await clickInPanel('Calls')
  const ended = vi.spyOn(window, 'clearInterval')
  await page.getByRole('button', { name: 'Close TanStack Devtools' }).click()
  await vi.waitFor(() => expect(panel()).toBeUndefined())
  expect(ended).toHaveBeenCalled()
  ended.mockRestore()
  await controller.fetch(articles.get, { id: 5 })
  await openByButton()
  await openTab()
  await clickInPanel('Timeline')
  await clickInPanel('fetch Article.get 5')
})

test('after its end the tab is empty, and nothing is recorded', async () => {
  const { controller, plugin } = await openShell()
  await openByButton()
  await openTab()
  await clickInPanel('Calls')
  plugin.end()
  plugin.end()
  expect(panel()).toBeUndefined()
  await controller.fetch(articles.get, { id: 5 })
  expect(explain(controller, articles.get, { id: 5 }).fetched).toBeUndefined()
})

test("the shell of React's adapter shows the same plugin, also in StrictMode", async () => {
  await page.viewport(1200, 800)
  const controller = new Controller({ fetch: async () => Response.json({ id: 5, title: 'First' }) })
  ends.push(() => controller.dispose())
  const plugin = tanstackPlugin(controller)
  ends.push(plugin.end)
  const other = { id: 'other', name: 'Other', render: createElement('p', {}, 'Of another library') }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  ends.push(() => root.unmount())
  const shell = createElement(TanStackDevtools, {
    plugins: [plugin, other],
    config: { theme: 'light', triggerMode: 'fixed' },
  })
  root.render(createElement(StrictMode, {}, shell))
  await controller.fetch(articles.get, { id: 5 })
  await openByButton()
  await openTab()
  await clickInPanel('Article.get 5')
  await vi.waitFor(() => expect(detail()).toContain('because controller.fetch was called'))
  await clickInPanel('Expire')
  await vi.waitFor(() => expect(detail()).toContain('made Stale'))
  await vi.waitFor(() => expect(getComputedStyle(panel()!).backgroundColor).toBe('rgb(255, 255, 255)'))
  expect(document.querySelectorAll('selfsame-devtools')).toHaveLength(1)
  root.unmount()
  await vi.waitFor(() => expect(panel()).toBeUndefined())
  // The recording goes on until its end.
  expect(explain(controller, articles.get, { id: 5 }).fetched).toContain(
    'because controller.fetch was called',
  )
})
