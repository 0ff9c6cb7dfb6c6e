import { Controller } from '@selfsame/core'
import { createMockController, replay } from '@selfsame/core/testing'
import { explain, explainRecord, record } from '@selfsame/devtools'
import {
  AsyncBoundary,
  DataProvider,
  useSuspense,
  withOptions,
} from '@selfsame/react'
import { SelfsameDevtools } from '@selfsame/react/devtools'
import { render } from '@selfsame/react/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  controller as inspected,
  createInspectedApp,
} from './devtools-shells.js'
import { Todo, todoResource } from './start/api.js'

// The samples of docs/devtools.md.

function createStage() {
  const controller = createMockController({
    fixtures: [
      {
        endpoint: todoResource.get,
        args: [{ id: 5 }],
        response: { id: 5, title: 'Buy milk' },
      },
    ],
  })
  onTestFinished(() => controller.dispose())
  return controller
}

function TodoItem({ id }: { id: number }) {
  return useSuspense(withOptions(todoResource.get, { name: 'Sidebar' }), { id })
    .title
}

function App() {
  return (
    <AsyncBoundary fallback="Loading…">
      <TodoItem id={5} />
    </AsyncBoundary>
  )
}

export function Root() {
  return (
    <DataProvider>
      <App />
      <SelfsameDevtools />
    </DataProvider>
  )
}

test('the component puts a button on the page, and takes it away', async () => {
  const screen = await render(<SelfsameDevtools name="Cache" />, {
    controller: createStage(),
  })
  expect(
    document.querySelector('selfsame-devtools')?.shadowRoot?.textContent,
  ).toBe('Cache')
  await screen.unmount()
  expect(document.querySelector('selfsame-devtools')).toBeNull()
})

test('the plugin for the devtools of Vue records until the application is unmounted', async () => {
  const fetched = () => explain(inspected, todoResource.get, { id: 5 }).fetched
  const app = createInspectedApp()
  app.mount(document.createElement('div'))
  await inspected.fetch(todoResource.get, { id: 5 }).catch(() => {})
  expect(fetched()).toContain('controller.fetch was called')
  app.unmount()
  expect(fetched()).toBeUndefined()
})

const recorded = JSON.stringify({
  version: 1,
  entries: [
    {
      kind: 'fetch',
      title: 'fetch Todo.get 5',
      key: todoResource.get.key({ id: 5 }),
      request: 1,
    },
    {
      kind: 'response',
      title: 'response Todo.get 5',
      key: todoResource.get.key({ id: 5 }),
      request: 1,
      payload: '{"id":5,"title":"As it was"}',
    },
  ],
})

test('replay makes a test of a recording', async () => {
  const { middleware, left } = replay(JSON.parse(recorded))
  const controller = new Controller({ middleware: [middleware] })
  onTestFinished(() => controller.dispose())
  expect(left()).toEqual(['fetch Todo.get 5'])
  expect((await controller.fetch(todoResource.get, { id: 5 })).title).toBe(
    'As it was',
  )
  expect(left()).toEqual([])
})

test('explain says why, as data', async () => {
  const controller = createStage()
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const end = record(controller) // without a panel
  const screen = await render(<App />, { controller })
  await screen.settle()
  const { fetched, now, readers } = explain(controller, todoResource.get, {
    id: 5,
  })
  console.log(explain(controller, todoResource.get, { id: 5 }).text)
  console.log(explainRecord(controller, Todo, 5).kept)
  expect(fetched).toContain('Sidebar mounted; nothing was cached')
  expect([now, readers]).toEqual([
    expect.stringContaining('Valid'),
    ['Sidebar'],
  ])
  expect(log.mock.calls.flat().join(' ')).toContain('it is on screen')
  end()
  expect(
    explain(controller, todoResource.get, { id: 5 }).fetched,
  ).toBeUndefined()
})
