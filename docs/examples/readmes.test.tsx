import { Controller } from '@selfsame/core'
import { dataPlugin } from '@selfsame/vue'
import { render } from '@testing-library/svelte'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp, h } from 'vue'
import SvelteApp from './App.svelte'
import SvelteArticle from './ArticleDetail.svelte'
import { App as ReactApp } from './ArticleDetail.js'
import VueArticle from './ArticleDetail.vue'
import TodoPage from './TodoPage.vue'
import VueStage from './VueStage.vue'
import SvelteStage from './SvelteStage.svelte'
import { serve } from './testing-network.js'

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => vi.unstubAllGlobals())

function stage(): Element {
  const element = document.querySelector('#app')
  if (element === null) throw new Error('The page has no element.')
  return element
}

/** An article that is renamed by who leaves its field. */
const articles = {
  'GET /article/5': { id: 5, title: 'Old' },
  // As a server that tidies up what it is sent.
  'PATCH /article/5': { id: 5, title: 'NEW' },
}

async function field(): Promise<HTMLInputElement> {
  return await vi.waitFor(() => {
    const input = document.querySelector('input')
    if (input === null)
      throw new Error(`There is no field yet: ${document.body.innerHTML}`)
    return input
  })
}

async function expectRenamed(
  requests: ReturnType<typeof serve>,
): Promise<void> {
  await vi.waitFor(async () => expect((await field()).value).toBe('NEW'))
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /article/5',
    'PATCH /article/5',
  ])
  expect(requests[1]?.body).toEqual({ title: 'New' })
}

async function type(text: string): Promise<void> {
  const input = await field()
  await act(async () => {
    input.focus()
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.dispatchEvent(new Event('change', { bubbles: true }))
    input.blur()
  })
}

/** Mounts the sample of a framework. @returns a function that unmounts it */
const openSample = {
  React: async () => {
    const root = createRoot(stage())
    await act(async () => root.render(<ReactApp />))
    return () => act(async () => root.unmount())
  },
  Vue: async () => {
    const app = createApp(VueStage, { content: VueArticle, id: 5 })
    app.use(dataPlugin, { controller: new Controller() }).mount('#app')
    return () => app.unmount()
  },
  Svelte: async () =>
    render(SvelteStage, { props: { content: SvelteArticle, id: 5 } }).unmount,
}

describe.each(Object.keys(openSample) as (keyof typeof openSample)[])(
  'README: %s',
  (framework) => {
    test('saves', async () => {
      const requests = serve(articles)
      const close = await openSample[framework]()
      expect((await field()).value).toBe('Old')
      await type('New')
      await expectRenamed(requests)
      await close()
    })

    test('shows why it was not saved, and keeps what was typed', async () => {
      const failed = () => new Response('Out of order', { status: 503 })
      serve({ ...articles, 'PATCH /article/5': failed })
      const close = await openSample[framework]()
      await field()
      await type('New')
      await vi.waitFor(() =>
        expect(document.querySelector('[role=alert]')?.textContent).toContain(
          '503',
        ),
      )
      expect((await field()).value).toBe('New')
      await close()
    })
  },
)

/** A server that fails once, and has one todo that can be completed. */
function serveTodo() {
  let asked = 0
  return serve({
    'GET /todo/5': () =>
      asked++ === 0
        ? new Response('Out of order', { status: 503 })
        : { id: 5, title: 'Write', completed: false },
    'PATCH /todo/5': { id: 5, title: 'Written', completed: true },
  })
}

async function button(text: string): Promise<HTMLButtonElement> {
  return await vi.waitFor(() => {
    const found = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === text,
    )
    if (found === undefined)
      throw new Error(
        `There is no button "${text}": ${document.body.innerHTML}`,
      )
    return found
  })
}

async function expectCompleted(
  requests: ReturnType<typeof serve>,
): Promise<void> {
  await vi.waitFor(() => expect(document.body.textContent).toContain('Written'))
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /todo/5',
    'GET /todo/5',
    'PATCH /todo/5',
  ])
}

test('the README of the React binding', async () => {
  const requests = serveTodo()
  // React reports what a boundary caught.
  const report = vi.spyOn(console, 'error').mockImplementation(() => {})
  await act(async () => import('./TodoItem.js'))
  const again = await button('Try again')
  await act(async () => again.click())
  const done = await button('Write')
  await act(async () => done.click())
  await expectCompleted(requests)
  expect(report).toHaveBeenCalledTimes(1)
  report.mockRestore()
})

test('the README of the Vue binding', async () => {
  const requests = serveTodo()
  const App = { render: () => h(TodoPage, { id: 5 }) }
  createApp(App).use(dataPlugin, { controller: new Controller() }).mount('#app')
  ;(await button('Try again')).click()
  ;(await button('Done')).click()
  await expectCompleted(requests)
})

test('the README of the Svelte binding', async () => {
  const requests = serveTodo()
  render(SvelteApp)
  ;(await button('Try again')).click()
  ;(await button('Done')).click()
  await expectCompleted(requests)
})
