import { Controller } from '@selfsame/core'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Component } from 'svelte'
import { createApp } from 'vue'
import SvelteStage from './SvelteStage.svelte'
import TodoSearchOfSvelte from './TodoSearch.svelte'
import { TodoForm, TodoSearch } from './TodoSearch.js'
import TodoSearchOfVue from './TodoSearch.vue'
import { serve } from './testing-network.js'

// The samples of docs/screens.md.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => vi.unstubAllGlobals())

const todos = {
  'GET /todo?title=milk': [{ id: 5, title: 'Buy milk' }],
  'GET /todo?title=tea': [{ id: 6, title: 'Buy tea' }],
  'GET /todo/8': { id: 8, title: 'Another' },
  'POST /todo': { id: 7, title: 'tea' },
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

/** What the samples of Vue and Svelte have beside the search. */
async function expectRest(requests: ReturnType<typeof serve>): Promise<void> {
  document.querySelector('a')?.dispatchEvent(new Event('pointerenter'))
  await vi.waitFor(() => expect(requests.at(-1)?.line).toBe('GET /todo/8'))
  document.querySelector('button')?.click()
  await vi.waitFor(() => expect(requests.at(-1)?.line).toBe('POST /todo'))
  await vi.waitFor(() =>
    expect(document.querySelector('input')?.disabled).toBe(false),
  )
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

test('a form: React', async () => {
  const requests = serve(todos)
  const root = createRoot(document.querySelector('#app') as Element)
  await act(async () =>
    root.render(
      <DataProvider>
        <TodoForm />
      </DataProvider>,
    ),
  )
  await act(async () => type('tea'))
  await act(async () => document.querySelector('button')?.click())
  await vi.waitFor(() =>
    expect(requests.map(({ line }) => line)).toEqual(['POST /todo']),
  )
  await act(async () => root.unmount())
})

test('a search and a form: Vue', async () => {
  const requests = serve(todos)
  const app = createApp(TodoSearchOfVue)
  app.use(dataPlugin, { controller: new Controller() }).mount('#app')
  await expectSearch(requests)
  await expectRest(requests)
  app.unmount()
})

test('a search and a form: Svelte', async () => {
  const requests = serve(todos)
  // It takes no props.
  const content = TodoSearchOfSvelte as unknown as Component<{ id: number }>
  const { unmount } = renderSvelte(SvelteStage, { props: { content, id: 5 } })
  await expectSearch(requests)
  await expectRest(requests)
  unmount()
})
