import { Controller } from '@selfsame/core'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Component } from 'svelte'
import { createApp } from 'vue'
import SvelteStage from './SvelteStage.svelte'
import TodoSearchOfSvelte from './TodoSearch.svelte'
import { TodoSearch } from './TodoSearch.js'
import TodoSearchOfVue from './TodoSearch.vue'
import { serve } from './testing-network.js'

// The samples of docs/reading.md: a search.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => vi.unstubAllGlobals())

const todos = {
  'GET /todo?title=milk': [{ id: 5, title: 'Buy milk' }],
  'GET /todo?title=tea': [{ id: 6, title: 'Buy tea' }],
  'GET /todo/8': { id: 8, title: 'Another' },
}

/** Types into the field of the page. */
function type(text: string): void {
  const input = document.querySelector('input')
  const setValue = Object.getOwnPropertyDescriptor(
    HTMLInputElement.prototype,
    'value',
  )?.set
  setValue?.call(input, text)
  input?.dispatchEvent(new Event('input', { bubbles: true }))
}

async function expectSearch(requests: ReturnType<typeof serve>): Promise<void> {
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('Buy milk'),
  )
  type('tea')
  await vi.waitFor(() =>
    expect(document.querySelector('ul')?.className).toBe('dimmed'),
  )
  expect(document.body.textContent).toContain('Buy milk')
  await vi.waitFor(
    () => expect(document.body.textContent).toContain('Buy tea'),
    { timeout: 20_000 },
  )
  expect(document.querySelector('ul')?.className).toBe('')
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /todo?title=milk',
    'GET /todo?title=tea',
  ])
}

/** The link of the samples in Vue and Svelte. */
async function expectLink(requests: ReturnType<typeof serve>): Promise<void> {
  document.querySelector('a')?.dispatchEvent(new Event('pointerenter'))
  await vi.waitFor(() => expect(requests.at(-1)?.line).toBe('GET /todo/8'))
}

test('a search: React', async () => {
  const requests = serve(todos)
  const root = createRoot(document.querySelector('#app') as Element)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  root.render(
    <DataProvider>
      <AsyncBoundary fallback="Loading…">
        <TodoSearch />
      </AsyncBoundary>
    </DataProvider>,
  )
  await expectSearch(requests)
  root.unmount()
})

test('a search: Vue', async () => {
  const requests = serve(todos)
  const app = createApp(TodoSearchOfVue)
  app.use(dataPlugin, { controller: new Controller() }).mount('#app')
  await expectSearch(requests)
  await expectLink(requests)
  app.unmount()
})

test('a search: Svelte', async () => {
  const requests = serve(todos)
  // It takes no props.
  const content = TodoSearchOfSvelte as unknown as Component<{ id: number }>
  const { unmount } = renderSvelte(SvelteStage, { props: { content, id: 5 } })
  await expectSearch(requests)
  await expectLink(requests)
  unmount()
})
