import type { Controller } from '@selfsame/core'
import { createMockController, defineMocks } from '@selfsame/core/testing'
import { ArticleSummary } from '@selfsame/demo-shared'
import { DataProvider, useSuspense as useReactSuspense } from '@selfsame/react'
import { renderDataHook as renderReactHook } from '@selfsame/react/testing'
import { useSuspense as useSvelteSuspense } from '@selfsame/svelte'
import { renderDataHook as renderSvelteHook } from '@selfsame/svelte/testing'
import { dataPlugin, useSuspense as useVueSuspense } from '@selfsame/vue'
import { renderDataHook as renderVueHook } from '@selfsame/vue/testing'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { mount, unmount } from 'svelte'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from 'vue'
import { articleResource } from './api.js'
import { Pane as ReactPane } from './react/Pane.js'
import SvelteApp from './svelte/App.svelte'
import VuePane from './vue/Pane.vue'

const author = { id: 1, name: 'Ada' }

/** A server's articles in memory: each Controller has its own. */
const articleServer = defineMocks({
  createState: () => ({
    articles: [
      { id: 1, title: 'First', content: 'One', createdAt: '2026-01-01T00:00:00Z', author },
      { id: 2, title: 'Second', content: 'Two', createdAt: '2026-01-02T00:00:00Z', author },
    ],
  }),
  interceptors: [
    {
      endpoint: articleResource.getList,
      response() {
        return this.state.articles.map(({ id, title, createdAt, author }) => ({
          id,
          title,
          createdAt,
          author,
        }))
      },
    },
    {
      endpoint: articleResource.get,
      response({ id }) {
        return this.state.articles.find((article) => article.id === Number(id)) ?? {}
      },
    },
    {
      endpoint: articleResource.partialUpdate,
      response({ id }, { title, content }) {
        const article = this.state.articles.find((each) => each.id === Number(id))
        if (article === undefined) throw new Error(`There is no article ${id}.`)
        article.title = title ?? article.title
        article.content = content ?? article.content
        return article
      },
    },
    {
      endpoint: articleResource.delete,
      response({ id }) {
        this.state.articles = this.state.articles.filter((article) => article.id !== Number(id))
        return { id: Number(id) }
      },
    },
  ],
})

/** Mounts the pane of each framework. @returns a function that unmounts it */
const panes: Readonly<Record<string, (target: Element, controller: Controller) => () => unknown>> = {
  React(target, controller) {
    // The page shows caught errors, so they are not logged.
    const root = createRoot(target, { onCaughtError: () => {} })
    root.render(
      <StrictMode>
        <DataProvider controller={controller}>
          <ReactPane />
        </DataProvider>
      </StrictMode>,
    )
    return () => root.unmount()
  },
  Vue(target, controller) {
    const app = createApp(VuePane).use(dataPlugin, { controller })
    app.mount(target)
    return () => app.unmount()
  },
  Svelte(target, controller) {
    const app = mount(SvelteApp, { target, props: { controller } })
    return () => unmount(app)
  },
}

describe.each(Object.entries(panes))('the pane of %s', (_, open) => {
  // The URL holds the state of the panes.
  beforeEach(() => history.replaceState(null, '', location.pathname))

  function openPane(controller: Controller) {
    const target = document.body.appendChild(document.createElement('main'))
    const close = open(target, controller)
    onTestFinished(async () => {
      await close()
      target.remove()
    })
    const find = <E extends Element>(selector: string) => target.querySelector<E>(selector)
    const press = (text: string) =>
      [...target.querySelectorAll('button')].find((button) => button.textContent.trim() === text)?.click()
    return { target, find, press }
  }
  const titlesIn = (target: Element) =>
    [...target.querySelectorAll('.row-title')].map(({ textContent }) => textContent)

  test('lists the articles, and shows the one that is selected', async () => {
    const controller = createMockController(articleServer)
    const { find, target } = openPane(controller)
    await waitFor(() => expect(titlesIn(target)).toEqual(['Second', 'First']))
    find<HTMLElement>('.row')?.click()
    await waitFor(() => expect(find('.content')?.textContent).toBe('Two'))
    expect(controller.requests.map(({ key }) => key)).toEqual([
      'GET /rest/article?expand=author',
      'GET /rest/article/2?expand=author%2Ccontributors',
    ])
  })

  test('saves what is edited, and shows it in the list without asking for that again', async () => {
    const controller = createMockController(articleServer)
    const { find, press, target } = openPane(controller)
    await waitFor(() => expect(titlesIn(target)).toHaveLength(2))
    find<HTMLElement>('.row')?.click()
    await waitFor(() => expect(find('.content')).not.toBe(null))
    press('Edit')
    await waitFor(() => expect(find('form input')).not.toBe(null))
    enter(find<HTMLInputElement>('form input'), 'Renamed')
    await waitFor(() => expect(find<HTMLInputElement>('form input')?.value).toBe('Renamed'))
    press('Save')
    await waitFor(() => expect(find('article h3')?.textContent).toBe('Renamed'))
    expect(titlesIn(target)).toEqual(['Renamed', 'First'])
    expect(controller.requestsOf(articleResource.getList)).toHaveLength(1)
    expect(controller.requestsOf(articleResource.partialUpdate)).toMatchObject([
      { args: [{ id: 2 }, { title: 'Renamed', content: 'Two', author: 1 }] },
    ])
  })

  test('takes an article that was deleted out of the list', async () => {
    const { find, press, target } = openPane(createMockController(articleServer))
    await waitFor(() => expect(titlesIn(target)).toHaveLength(2))
    find<HTMLElement>('.row')?.click()
    await waitFor(() => expect(find('.content')).not.toBe(null))
    press('Delete')
    await waitFor(() => expect(find('.hint')?.textContent).toContain('Select an article'))
    expect(titlesIn(target)).toEqual(['First'])
  })

  test('says why the list failed, and tries again', async () => {
    const controller = createMockController({
      fixtures: [{ endpoint: articleResource.getList, args: [], error: new Error('Offline') }],
    })
    const { find, press, target } = openPane(controller)
    await waitFor(() => expect(find('[role=alert]')?.textContent).toContain('Offline'))
    const response = [{ id: 1, title: 'First', createdAt: '2026-01-01T00:00:00Z' }]
    controller.addFixture({ endpoint: articleResource.getList, args: [], response })
    press('Try again')
    await waitFor(() => expect(titlesIn(target)).toEqual(['First']))
  })
})

describe.each([
  ['React', () => renderReactHook(() => useReactSuspense(articleResource.getList), articleServer)],
  ['Vue', () => renderVueHook(() => useVueSuspense(articleResource.getList), articleServer)],
  ['Svelte', () => renderSvelteHook(() => useSvelteSuspense(articleResource.getList), articleServer)],
])('the articles of the API in %s', (_, render) => {
  test('are summaries, shared with the article that is read in full', async () => {
    const { controller, result, settle, unmount } = render()
    onTestFinished(unmount)
    await settle()
    const [first] = result.current
    expect(first).toBeInstanceOf(ArticleSummary)
    expect(first?.author?.name).toBe('Ada')
    await controller.fetch(articleResource.partialUpdate, { id: 1 }, { title: 'Renamed' })
    await settle()
    expect(result.current.map(({ title }) => title)).toEqual(['Renamed', 'Second'])
    expect(result.current[1]).toBe(controller.get(ArticleSummary, { id: 2 }))
  })
})

/** Waits for the page. Takes longer for the first pane, which loads its modules. */
function waitFor(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { timeout: 20_000 })
}

/** Enters text like a typing user. React overrides the property, so the setter of the class is called. */
function enter(input: HTMLInputElement | null, text: string): void {
  if (input === null) return expect.fail('There is no input.')
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
