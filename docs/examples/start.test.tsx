import { mount, unmount as unmountSvelte } from 'svelte'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import SvelteApp from './start/App.svelte'
import { App as ReactApp } from './start/App.js'
import VueApp from './start/App.vue'
import { serve } from './testing-network.js'

// The samples of docs/start.md and of the front page: a click changes the row
// and the count above it, by one request.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const stage = () => document.querySelector('#app') as HTMLElement

function serveTodos() {
  return serve({
    'GET /todos?userId=1': [
      { id: 1, title: 'Write', completed: false },
      { id: 2, title: 'Read', completed: false },
    ],
    'PATCH /todos/1': { id: 1, title: 'Write', completed: true },
  })
}

async function expectOneClickToReachBoth(
  requests: ReturnType<typeof serve>,
): Promise<void> {
  await vi.waitFor(() =>
    expect(document.querySelector('h1')?.textContent).toBe('2 open'),
  )
  const box = document.querySelector('input')!
  await act(async () => box.click())
  await vi.waitFor(() =>
    expect(document.querySelector('h1')?.textContent).toBe('1 open'),
  )
  expect(
    [...document.querySelectorAll('input')].map(({ checked }) => checked),
  ).toEqual([true, false])
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /todos?userId=1',
    'PATCH /todos/1',
  ])
}

test('starts in React', async () => {
  const requests = serveTodos()
  const root = createRoot(stage())
  await act(async () => root.render(<ReactApp />))
  await expectOneClickToReachBoth(requests)
  await act(async () => root.unmount())
})

test('starts in Vue', async () => {
  const requests = serveTodos()
  const app = createApp(VueApp)
  app.mount(stage())
  await expectOneClickToReachBoth(requests)
  app.unmount()
})

test('starts in Svelte', async () => {
  const requests = serveTodos()
  const app = mount(SvelteApp, { target: stage() })
  await expectOneClickToReachBoth(requests)
  await unmountSvelte(app)
})

test('starts without a framework', async () => {
  const requests = serveTodos()
  const { controller } = await import('./start/main.js')
  expect(document.body.textContent).toBe('Loading…')
  await expectOneClickToReachBoth(requests)
  controller.dispose()
})
