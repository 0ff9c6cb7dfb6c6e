import { Controller } from '@selfsame/core'
import type { EndpointLike } from '@selfsame/core'
import { dehydrate, hydrate } from '@selfsame/core/hydration'
import { NetworkError } from '@selfsame/core/rest'
import { DataProvider } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { todoResource } from './api.js'
import NewTodoOfSvelte from './handling/NewTodo.svelte'
import { NewTodo } from './handling/NewTodo.js'
import NewTodoOfVue from './handling/NewTodo.vue'
import { messageOf, refusalOf } from './handling/message-of.js'
import * as plain from './handling/plain.js'
import TodoCardOfSvelte from './handling/TodoCard.svelte'
import { TodoCard } from './handling/TodoCard.js'
import TodoCardOfVue from './handling/TodoCard.vue'
import TodoPageOfSvelte from './handling/TodoPage.svelte'
import { TodoPage } from './handling/TodoPage.js'
import TodoPageOfVue from './handling/TodoPage.vue'
import SvelteStage from './SvelteStage.svelte'
import VueStage from './VueStage.vue'
import { serve } from './testing-network.js'

// The samples of docs/error-handling.md.

const ends: (() => unknown)[] = []
beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const stage = () => document.querySelector('#app') as HTMLElement

async function showReact(Content: ComponentType<{ id: number }>) {
  const root = createRoot(stage())
  ends.push(() => act(async () => root.unmount()))
  await act(async () =>
    root.render(
      <DataProvider>
        <Content id={5} />
      </DataProvider>,
    ),
  )
}

function showVue(content: object) {
  const app = createApp(VueStage, { content, id: 5 })
  app.use(dataPlugin, { controller: new Controller() }).mount(stage())
  ends.push(() => app.unmount())
}

function showSvelte(content: unknown) {
  const { unmount } = renderSvelte(SvelteStage, {
    props: { content: content as never, id: 5 },
  })
  ends.push(unmount)
}

const shows: Record<
  string,
  [page: () => unknown, card: () => unknown, form: () => unknown]
> = {
  React: [
    () => showReact(TodoPage),
    () => showReact(TodoCard),
    () => showReact(NewTodo),
  ],
  Vue: [
    () => showVue(TodoPageOfVue),
    () => showVue(TodoCardOfVue),
    () => showVue(NewTodoOfVue),
  ],
  Svelte: [
    () => showSvelte(TodoPageOfSvelte),
    () => showSvelte(TodoCardOfSvelte),
    () => showSvelte(NewTodoOfSvelte),
  ],
}
const text = () => document.body.textContent.trim()

describe.each(Object.entries(shows))(
  'in %s',
  (_, [showPage, showCard, showForm]) => {
    test('a boundary tells a missing todo from a server that is out of order', async () => {
      let answer: unknown = new Response('Out of order', {
        status: 503,
        statusText: 'Out of order',
      })
      serve({ 'GET /todo/5': () => answer })
      await showPage()
      const button = await vi.waitUntil(() => document.querySelector('button'))
      expect(text()).toContain('503')
      answer = new Response('', { status: 404 })
      await act(async () => button.click())
      await vi.waitFor(() => expect(text()).toBe('There is no such todo.'))
    })

    test('a card shows its error itself', async () => {
      serve({})
      await showCard()
      await vi.waitFor(() =>
        expect(document.querySelector('[role=alert]')?.textContent).toContain(
          '404',
        ),
      )
    })

    test('a form shows what the server found wrong', async () => {
      serve({
        'POST /todo': () =>
          Response.json({ title: 'Write a title.' }, { status: 422 }),
      })
      await showForm()
      const button = await vi.waitUntil(() => document.querySelector('button'))
      await act(async () => button.click())
      await vi.waitFor(() =>
        expect(document.querySelector('[role=alert]')?.textContent).toBe(
          'Write a title.',
        ),
      )
    })
  },
)

describe('without a framework', () => {
  test('an error is caught where it was asked for, and stored for readers', async () => {
    serve({})
    const controller = new Controller({ middleware: [plain.report] })
    expect(await plain.fetchTitle(controller, 5)).toBe('There is no such todo.')
    expect(plain.readState(controller, 5)).toContain('404')
    expect(plain.reported).toMatchObject([{ status: 404 }])
  })

  test('what a mutation is refused for', async () => {
    serve({
      'POST /todo': () =>
        Response.json({ title: 'Write a title.' }, { status: 422 }),
    })
    expect(await plain.save(new Controller(), '')).toBe('Write a title.')
    serve({})
    expect(await plain.save(new Controller(), '')).toBe(
      'There is no such thing.',
    )
  })

  test.each([
    [
      () => Response.json({ message: 'This title is taken.' }, { status: 409 }),
      'This title is taken.',
    ],
    [
      () => new Response('<p>Bad gateway</p>', { status: 502 }),
      'Something went wrong. Please try again later.',
    ],
    [
      () => Response.json(null, { status: 500 }),
      'Something went wrong. Please try again later.',
    ],
    [
      () => Promise.reject(new TypeError('Failed to fetch')),
      'The server cannot be reached.',
    ],
    [() => Response.json({ title: 'No id' }), 'Something went wrong.'],
  ])('what a user is told (%#)', async (answer, told) => {
    serve({ 'POST /todo': answer })
    const refused = new Controller().fetch(todoResource.create, { title: '' })
    const error: unknown = await refused.catch((reason: unknown) => reason)
    expect(refusalOf(error as Error)).toBe(told)
  })

  test.each([
    [
      () => Response.json({ message: 'Secret' }, { status: 404 }),
      'There is no such thing.',
    ],
    [
      () => Response.json({ message: 'Secret' }, { status: 403 }),
      'Something went wrong. Please try again later.',
    ],
    [
      () => Promise.reject(new TypeError('Failed to fetch')),
      'The server cannot be reached.',
    ],
    [() => Response.json({ title: 'No id' }), 'Something went wrong.'],
  ])(
    'a server and its page tell the same of a read (%#)',
    async (answer, told) => {
      serve({ 'GET /todo/5': answer })
      const server = new Controller()
      const error: unknown = await server
        .fetch(todoResource.get, { id: 5 })
        .catch((reason: unknown) => reason)
      expect(messageOf(error as Error)).toBe(told)
      const page = new Controller()
      hydrate(page, dehydrate(server))
      const shown = page.read(todoResource.get, { id: 5 }).error as Error
      expect(messageOf(shown)).toBe(told)
    },
  )

  test('what fails for now is tried again', async () => {
    let asked = 0
    serve({
      'GET /todo/5': () =>
        ++asked === 1
          ? new Response('', { status: 503 })
          : { id: 5, title: 'Write' },
    })
    expect(await plain.fetchTitle(plain.controller, 5)).toBe('Write')
    expect(asked).toBe(2)
    plain.controller.dispose()
  })

  test('an endpoint says which errors leave its data', () => {
    const policy = (endpoint: EndpointLike, status: number) =>
      endpoint.errorPolicy?.(
        new NetworkError('', { status, response: new Response() }),
      )
    expect(policy(plain.getProfile, 404)).toBe('soft')
    expect(policy(plain.getProfile, 403)).toBeUndefined()
    expect(policy(todoResource.get, 404)).toBeUndefined()
  })
})
