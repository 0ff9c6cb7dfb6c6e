import { listenersOf, retainersOf } from '@selfsame/conformance'
import { Controller } from '@selfsame/core'
import { render as renderInPage } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import OpenTodos from './OpenTodos.svelte'
import { Todo, todoResource } from './api.js'
import { followTitle } from './page-title.svelte.js'
import { serve } from './testing-network.js'
import { createTodoStore } from './todo-store.svelte.js'

afterEach(() => vi.unstubAllGlobals())

const answers = {
  'GET /todo?userId=1': [
    { id: 1, title: 'Write' },
    { id: 2, title: 'Read' },
  ],
  'GET /todo?userId=2': [{ id: 3, title: 'Sleep' }],
  'PATCH /todo/2': { id: 2, title: 'Read', completed: true },
}

test('a store in a module follows its state and the cache, while somebody shows it', async () => {
  const requests = serve(answers)
  const controller = new Controller()
  const store = createTodoStore(controller)
  const { container, unmount } = renderInPage(OpenTodos, { props: { store } })
  const text = () => container.textContent.replace(/\s+/g, ' ').trim()
  await vi.waitFor(() => expect(text()).toBe('2 open WriteRead Next'))
  expect(listenersOf(controller)).toBeGreaterThan(0)

  const button = (name: string) =>
    [...container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === name,
    )
  button('Read')?.click()
  await vi.waitFor(() => expect(text()).toBe('1 open Write Next'))
  controller.set(Todo, { id: 1 }, { completed: true })
  await vi.waitFor(() => expect(text()).toBe('0 open Next'))
  button('Next')?.click()
  await vi.waitFor(() => expect(text()).toBe('1 open Sleep Next'))
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /todo?userId=1',
    'PATCH /todo/2',
    'GET /todo?userId=2',
  ])

  unmount()
  await vi.waitFor(() =>
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0]),
  )
  controller.dispose()
})

test('an effect outside of components follows the cache until it is ended', async () => {
  serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
  const controller = new Controller()
  const end = followTitle(controller, 5)
  flushSync()
  await controller.fetch(todoResource.get, { id: 5 })
  await vi.waitFor(() => expect(document.title).toBe('Write'))
  controller.set(Todo, { id: 5 }, { title: 'Rewrite' })
  await vi.waitFor(() => expect(document.title).toBe('Rewrite'))
  end()
  controller.set(Todo, { id: 5 }, { title: 'Later' })
  await vi.waitFor(() =>
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0]),
  )
  expect(document.title).toBe('Rewrite')
  controller.dispose()
})
