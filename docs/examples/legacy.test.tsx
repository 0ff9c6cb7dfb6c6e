import { Controller } from '@selfsame/core'
import { fetchShape } from '@selfsame/core/legacy'
import { createResource } from '@selfsame/core/rest'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { Article, Comment, User } from './legacy/article.js'
import BothOfSvelte from './legacy/BothTodos.svelte'
import BothOfVue from './legacy/BothTodos.vue'
import { NewTodos } from './legacy/NewTodos.js'
import { OldTodos } from './legacy/OldTodos.js'
import { Page } from './legacy/shapes-in-react.js'
import { Todo } from './legacy/todo.js'
import SvelteStage from './SvelteStage.svelte'
import { serve } from './testing-network.js'
import type { Request } from './testing-network.js'
import VueStage from './VueStage.vue'

// The samples of docs/legacy.md.

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
})
afterEach(() => vi.unstubAllGlobals())

const todos = [
  { id: 5, title: 'Write' },
  { id: 6, title: 'Read' },
]

async function openReact(content: ReactNode) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const root = createRoot(document.querySelector('#app') as Element)
  await act(async () =>
    root.render(
      <DataProvider>
        <AsyncBoundary fallback="Loading…">{content}</AsyncBoundary>
      </DataProvider>,
    ),
  )
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  return () => root.unmount()
}

/** Both lists show the same, whoever adds to them. */
async function expectBoth(requests: ReturnType<typeof serve>) {
  const texts = () =>
    [...document.querySelectorAll('button')].map((button) =>
      button.textContent?.trim(),
    )
  const click = (index: number) =>
    document.querySelectorAll('button')[index]?.click()
  await vi.waitFor(() =>
    expect(texts()).toEqual(['Old: Write Read', 'New: Write Read']),
  )
  click(0)
  await vi.waitFor(() =>
    expect(texts()).toEqual(['Old: Sleep Write Read', 'New: Sleep Write Read']),
  )
  click(1)
  await vi.waitFor(() =>
    expect(texts()).toEqual([
      'Old: Sleep Write Read Eat',
      'New: Sleep Write Read Eat',
    ]),
  )
  expect(requests.map(({ line }) => line).slice(-2)).toEqual([
    'POST /todo',
    'POST /todo',
  ])
}

function serveTodos() {
  let next = 100
  return serve({
    'GET /todo': todos,
    'POST /todo': ({ body }: Request) => ({ id: next++, ...(body as object) }),
  })
}

test('old and new side by side: React', async () => {
  const requests = serveTodos()
  const close = await openReact(
    <>
      <OldTodos />
      <NewTodos />
    </>,
  )
  await expectBoth(requests)
  close()
})

test('old and new side by side: Vue', async () => {
  const requests = serveTodos()
  const app = createApp(VueStage, { content: BothOfVue, id: 5 })
  app.use(dataPlugin, { controller: new Controller() }).mount('#app')
  await expectBoth(requests)
  app.unmount()
})

test('old and new side by side: Svelte', async () => {
  const requests = serveTodos()
  const { unmount } = renderSvelte(SvelteStage, {
    props: { content: BothOfSvelte, id: 5 },
  })
  await expectBoth(requests)
  unmount()
})

test('the hooks of 4.5: React', async () => {
  serve({
    'GET /article?page=1': [{ id: 1, title: 'One', author: 7 }],
    'GET /user/7': { id: 7, name: 'Ann' },
    'GET /todo': todos,
  })
  const close = await openReact(<Page id={7} />)
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('One by 7; Ann; Write; fine'),
  )
  close()
})

test('endpoints and shapes of classes', async () => {
  serve({
    'POST /current_user/': { id: 7, name: 'Ann' },
    'GET /current_user/': { id: 7, name: 'Ann' },
    'POST /users/7/make_manager': { id: 7, name: 'Ann, manager' },
    'GET /article': {
      results: [{ id: 1, title: 'One', author: 7 }],
      nextPage: 'x',
    },
    'GET /comments/3': { data: { id: 3, body: 'Yes' } },
  })
  const controller = new Controller()
  const user = await fetchShape(controller, User.currentUserShape(), {})
  expect(await controller.fetch(User.currentUser())).toBe(user)
  expect((await controller.fetch(User.makeManager(), { id: 7 })).name).toBe(
    'Ann, manager',
  )
  const page = await controller.fetch(Article.list())
  expect(page).toMatchObject({
    nextPage: 'x',
    prevPage: '',
    results: [{ author: { name: 'Ann, manager' } }],
  })
  expect((await controller.fetch(Comment.detail(), { id: 3 })).data.body).toBe(
    'Yes',
  )
})

test('a body that is no JSON has the status 400', async () => {
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response('no', { headers: { 'content-type': 'application/json' } }),
  )
  await expect(
    fetchShape(new Controller(), Article.listShape(), {}),
  ).rejects.toMatchObject({ status: 400 })
})

test('a resource of the class', async () => {
  serve({ 'GET /todo/5': todos[0], 'GET /todo': todos })
  const controller = new Controller()
  const todoResource = createResource({
    urlPrefix: 'https://api.example.com',
    path: '/todo/:id',
    schema: Todo,
  })
  const todo = await controller.fetch(todoResource.get, { id: 5 })
  expect((await controller.fetch(Todo.list()))[0]).toBe(todo)
})
