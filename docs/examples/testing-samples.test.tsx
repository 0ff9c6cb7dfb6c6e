import { createResource } from '@selfsame/core/rest'
import { TestClock, createMockController } from '@selfsame/core/testing'
import { DataProvider, useSuspense } from '@selfsame/react'
import { render } from '@selfsame/react/testing'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Todo, todoResource, todoServer } from './todo-mocks.js'

// The samples of docs/testing.md.

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(() => vi.unstubAllGlobals())

test('fixtures answer calls', async () => {
  const controller = createMockController({
    fixtures: [
      {
        endpoint: todoResource.get,
        args: [{ id: 5 }],
        response: { id: 5, title: 'Write tests' },
      },
      {
        endpoint: todoResource.get,
        args: [{ id: 6 }],
        error: new Error('Offline'),
      },
      {
        endpoint: todoResource.delete,
        args: [{ id: 5 }],
        response: { id: 5 },
        delayMs: 300,
      },
    ],
  })
  expect((await controller.fetch(todoResource.get, { id: 5 })).title).toBe(
    'Write tests',
  )
  await expect(controller.fetch(todoResource.get, { id: 6 })).rejects.toThrow(
    'Offline',
  )
})

test('a server in memory has a state', async () => {
  const controller = createMockController(todoServer)
  await controller.fetch(todoResource.create, { title: 'Run them' })
  expect(await controller.fetch(todoResource.getList)).toHaveLength(2)
})

test('an interceptor looks at the page, and at the body of a new record', async () => {
  const { getList } = createResource({
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as { completed?: boolean; page?: number },
    paginationField: 'page',
  })
  const pages = [[{ id: 1 }], [{ id: 2 }]]
  const controller = createMockController({
    interceptors: [
      {
        endpoint: getList,
        response: ({ page = 1 } = {}) => pages[page - 1] ?? [],
      },
      {
        endpoint: getList.unshift,
        response: (...args) => ({ ...args.at(-1), id: 9 }),
      },
    ],
  })
  await controller.fetch(getList)
  await controller.fetch(getList.getPage, { page: 2 })
  await controller.fetch(getList.unshift, { title: 'a' })
  await controller.fetch(getList.unshift, { completed: true }, { title: 'b' })
  expect(controller.get(Todo, { id: 9 })?.title).toBe('b')
  expect(controller.read(getList).data).toMatchObject([
    { id: 9 },
    { id: 1 },
    { id: 2 },
  ])
})

test('an interceptor stands in the place of the network', async () => {
  const controller = createMockController({
    interceptors: [
      // The only one.
      {
        endpoint: todoResource.get,
        fetchResponse: () => new Response(null, { status: 404 }),
      },
    ],
  })
  await expect(
    controller.fetch(todoResource.get, { id: 5 }),
  ).rejects.toMatchObject({ status: 404 })
})

test('requests are remembered', async () => {
  const controller = createMockController({
    interceptors: [
      {
        endpoint: todoResource.partialUpdate,
        response: ({ id }, body) => ({ ...body, id: Number(id) }),
      },
    ],
  })
  await controller.fetch(
    todoResource.partialUpdate,
    { id: 5 },
    { title: 'New' },
  )
  expect(controller.requestsOf(todoResource.partialUpdate)).toMatchObject([
    { args: [{ id: 5 }, { title: 'New' }] },
  ])
})

test('time passes when the test says so', () => {
  const fixtures = [
    {
      endpoint: todoResource.get,
      args: [{ id: 5 }],
      response: { id: 5 },
      isCached: true,
    },
  ] as const
  const clock = new TestClock()
  const controller = createMockController({ clock, fixtures })
  clock.advance(60_000)
  clock.timers
  expect(controller.read(todoResource.get, { id: 5 }).status).toBe('Stale')
  controller.dispose()
  expect(clock.timers).toBe(0)
})

function TodoList() {
  return (
    <ul>
      {useSuspense(todoResource.getList).map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  )
}

test('a component is rendered over a mock Controller', async () => {
  const { container, controller, settle, unmount } = await render(
    <TodoList />,
    todoServer,
  )
  expect(container.textContent).toBe('Write tests')
  await controller.fetch(todoResource.create, { title: 'Run them' })
  await settle()
  expect(container.textContent).toBe('Write testsRun them')
  await unmount()
})

test('a component is rendered by React itself', async () => {
  const element = document.createElement('div')
  const root = createRoot(element)
  const page = (
    <DataProvider controller={createMockController(todoServer)}>
      <TodoList />
    </DataProvider>
  )
  await act(async () => root.render(page))
  await vi.waitFor(() => expect(element.textContent).toBe('Write tests'))
  await act(async () => root.unmount())
})
