import { Controller } from '@selfsame/core'
import {
  refetchOnFocus,
  refetchOnReconnect,
  retry,
} from '@selfsame/core/policies'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { DataProvider as DataProviderOfSvelte } from '@selfsame/svelte'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createRawSnippet, mount, unmount } from 'svelte'
import { expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { todoResource } from './api.js'
import ChosenListOfSvelte from './ChosenList.svelte'
import ChosenListOfVue from './ChosenList.vue'
import SvelteStage from './SvelteStage.svelte'
import VueStage from './VueStage.vue'
import { ChosenList, WhichHook } from './WhichHook.js'
import WhichHookOfSvelte from './WhichHook.svelte'
import WhichHookOfVue from './WhichHook.vue'
import { serve } from './testing-network.js'
import { todoAnswers, usePage } from './testing-todos.js'

// The first samples of docs/reading.md, and that of docs/defaults.md.

usePage()

const todos = {
  ...todoAnswers,
  'GET /todo?listId=3': [{ id: 5, title: 'Write' }],
}

const app = () => document.querySelector('#app') ?? document.body
const expectText = (text: string) =>
  vi.waitFor(() => expect(document.body.textContent).toContain(text))

test('which hook: React', async () => {
  serve(todos)
  const root = createRoot(app())
  await act(async () =>
    root.render(
      <DataProvider>
        <AsyncBoundary fallback="Loading…">
          <WhichHook id={5} />
          <ChosenList />
          <ChosenList listId={3} />
        </AsyncBoundary>
      </DataProvider>,
    ),
  )
  await expectText('Write, 2, 2, trueNone1')
  await act(async () => root.unmount())
})

test('which hook: Vue', async () => {
  serve(todos)
  const pages = [
    createApp(VueStage, { content: WhichHookOfVue, id: 5 }),
    createApp(ChosenListOfVue),
    createApp(ChosenListOfVue, { listId: 3 }),
  ]
  for (const page of pages) {
    page.use(dataPlugin, { controller: new Controller() })
    page.mount(app().appendChild(document.createElement('div')))
  }
  await expectText('Write, 2, 2, trueNone1')
  for (const page of pages) page.unmount()
})

test('which hook: Svelte', async () => {
  serve(todos)
  const { unmount: end } = renderSvelte(SvelteStage, {
    props: { content: WhichHookOfSvelte, id: 5 },
  })
  await expectText('Write, 2, 2, true')
  end()
  for (const [listId, text] of [
    [undefined, 'None'],
    [3, '1'],
  ] as const) {
    const children = createRawSnippet(() => ({
      render: () => '<div></div>',
      setup(element) {
        const list = mount(ChosenListOfSvelte, {
          target: element,
          props: listId === undefined ? {} : { listId },
        })
        return () => void unmount(list)
      },
    }))
    const page = renderSvelte(DataProviderOfSvelte, { props: { children } })
    await expectText(text)
    page.unmount()
  }
})

test('a reader without a framework', async () => {
  serve(todos)
  const controller = new Controller()
  const id = 5
  const shown: unknown[] = []
  const render = (text?: string) => shown.push(text)
  const end = controller.subscribe(
    todoResource.get,
    { id },
    ({ data, error }) => render(data?.title ?? error?.message),
  )
  await controller.fetchIfStale(todoResource.get, { id })
  expect(shown.at(-1)).toBe('Write')
  end()
})

test('a Controller with other defaults', async () => {
  serve(todos)
  const controller = new Controller({
    dataExpiryLength: 5 * 60_000,
    keepLength: 30 * 60_000,
    middleware: [retry(), refetchOnFocus(), refetchOnReconnect()],
  })
  await controller.fetch(todoResource.get, { id: 5 })
  const { expiresAt } = controller.read(todoResource.get, { id: 5 })
  expect(Number(expiresAt) - Date.now()).toBeGreaterThan(4 * 60_000)
  controller.dispose()
})
