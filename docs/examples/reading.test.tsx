import { Controller } from '@selfsame/core'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import SvelteStage from './SvelteStage.svelte'
import TodoPairOfSvelte from './TodoPair.svelte'
import { Chosen, TodoPair } from './TodoPair.js'
import TodoPairOfVue from './TodoPair.vue'
import VueStage from './VueStage.vue'
import { serve } from './testing-network.js'

// The samples of docs/reading.md.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(() => vi.unstubAllGlobals())

const todos = {
  'GET /todo/5': { id: 5, title: 'Write' },
  'GET /todo?userId=1': [
    { id: 5, title: 'Write' },
    { id: 6, title: 'Read' },
  ],
}

function stage(): Element {
  const element = document.querySelector('#app')
  if (element === null) throw new Error('The page has no element.')
  return element
}

async function openReact(content: ReactNode) {
  const root = createRoot(stage())
  await act(async () =>
    root.render(
      <DataProvider>
        <AsyncBoundary fallback="Loading…">{content}</AsyncBoundary>
      </DataProvider>,
    ),
  )
  return root
}

async function expectPair(requests: ReturnType<typeof serve>) {
  await vi.waitFor(() => expect(document.body.textContent).toContain('Write, one of 2'))
  expect(requests.map(({ line }) => line)).toEqual(['GET /todo/5', 'GET /todo?userId=1'])
}

test('several reads: React', async () => {
  const requests = serve(todos)
  const root = await openReact(<TodoPair id={5} />)
  await expectPair(requests)
  await act(async () => root.unmount())
})

test('several reads, by name and of any number: React', async () => {
  serve({ 'GET /todo/1': { id: 1, title: 'One' }, 'GET /todo/2': { id: 2, title: 'Two' } })
  const root = await openReact(<Chosen ids={[2, 1]} listId={undefined} />)
  await vi.waitFor(() => expect(document.body.textContent).toBe('One Two One'))
  await act(async () => root.unmount())
})

test('several reads: Vue', async () => {
  const requests = serve(todos)
  const app = createApp(VueStage, { content: TodoPairOfVue, id: 5 })
  app.use(dataPlugin, { controller: new Controller() }).mount('#app')
  await expectPair(requests)
  app.unmount()
})

test('several reads: Svelte', async () => {
  const requests = serve(todos)
  const { unmount } = renderSvelte(SvelteStage, { props: { content: TodoPairOfSvelte, id: 5 } })
  await expectPair(requests)
  unmount()
})
