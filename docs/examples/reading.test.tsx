import { Controller } from '@selfsame/core'
import { bidirectional, linkParams, RestEndpoint } from '@selfsame/core/rest'
import { AsyncBoundary, DataProvider, useInfinite } from '@selfsame/react'
import { dataPlugin } from '@selfsame/vue'
import { render as renderSvelte } from '@testing-library/svelte'
import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { Todo, todoResource } from './api.js'
import { Chosen } from './counterparts/Chosen.js'
import SvelteStage from './SvelteStage.svelte'
import { bothWays, getAppointments } from './guides/calendar.js'
import TodoFeedOfSvelte from './TodoFeed.svelte'
import { TodoFeed } from './TodoFeed.js'
import TodoFeedOfVue from './TodoFeed.vue'
import TodoPairOfSvelte from './TodoPair.svelte'
import { TodoPair } from './TodoPair.js'
import TodoPairOfVue from './TodoPair.vue'
import VueStage from './VueStage.vue'
import { serve } from './testing-network.js'
import { todoAnswers, usePage } from './testing-todos.js'

// The samples of docs/reading.md and of docs/pagination.md, Infinite scroll.

usePage()

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
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('Write, one of 2'),
  )
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /todo/5',
    'GET /todo?userId=1',
  ])
}

test('several reads: React', async () => {
  const requests = serve(todoAnswers)
  const root = await openReact(<TodoPair id={5} />)
  await expectPair(requests)
  await act(async () => root.unmount())
})

test('several reads, by name and of any number: React', async () => {
  serve({
    'GET /todo/1': { id: 1, title: 'One' },
    'GET /todo/2': { id: 2, title: 'Two' },
  })
  const root = await openReact(<Chosen ids={[2, 1]} listId={undefined} />)
  await vi.waitFor(() => expect(document.body.textContent).toBe('One Two One'))
  await act(async () => root.unmount())
})

test('several reads: Vue', async () => {
  const requests = serve(todoAnswers)
  const app = createApp(VueStage, { content: TodoPairOfVue, id: 5 })
  app.use(dataPlugin, { controller: new Controller() }).mount('#app')
  await expectPair(requests)
  app.unmount()
})

test('several reads: Svelte', async () => {
  const requests = serve(todoAnswers)
  const { unmount } = renderSvelte(SvelteStage, {
    props: { content: TodoPairOfSvelte, id: 5 },
  })
  await expectPair(requests)
  unmount()
})

const feed = {
  'GET /todo?userId=1': [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ],
  'GET /todo?cursor=2&userId=1': [{ id: 3, title: 'Three' }],
  'GET /todo?cursor=3&userId=1': [],
}

/**
 * An IntersectionObserver for which everything comes into view, and which says so
 * once. As that of a busy browser, it reports in one call that it was out of view.
 */
class InView {
  readonly #tell: (entries: readonly { isIntersecting: boolean }[]) => void
  #isOver = false

  constructor(tell: (entries: readonly { isIntersecting: boolean }[]) => void) {
    this.#tell = tell
  }

  observe() {
    const entries = [{ isIntersecting: false }, { isIntersecting: true }]
    setTimeout(() => this.#isOver || this.#tell(entries))
  }

  disconnect() {
    this.#isOver = true
  }
}

async function expectFeed(requests: ReturnType<typeof serve>) {
  await vi.waitFor(() =>
    expect(document.body.textContent).toMatch(/^\s*One\s*Two\s*Three\s*$/),
  )
  expect(requests.map(({ line }) => line)).toEqual(Object.keys(feed))
}

test('pages with a sentinel: React', async () => {
  vi.stubGlobal('IntersectionObserver', InView)
  const requests = serve(feed)
  const root = await openReact(<TodoFeed userId={1} />)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  await expectFeed(requests)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await act(async () => root.unmount())
})

test('pages with a sentinel: Vue', async () => {
  vi.stubGlobal('IntersectionObserver', InView)
  const requests = serve(feed)
  const app = createApp(VueStage, { content: TodoFeedOfVue, id: 1 })
  app.use(dataPlugin, { controller: new Controller() }).mount('#app')
  await expectFeed(requests)
  app.unmount()
})

test('pages with a sentinel: Svelte', async () => {
  vi.stubGlobal('IntersectionObserver', InView)
  const requests = serve(feed)
  const { unmount } = renderSvelte(SvelteStage, {
    props: { content: TodoFeedOfSvelte, id: 1 },
  })
  await expectFeed(requests)
  unmount()
})

const getByOffset = todoResource.getList.extend({ paginationField: 'offset' })
const getByToken = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/feed',
  schema: { results: [Todo], nextPage: '' },
  paginationField: 'page',
})
const getByLink = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/linked',
  schema: { results: [Todo], link: '' },
  paginationField: 'page',
  async parseResponse(response: Response) {
    return {
      link: response.headers.get('link') ?? '',
      results: await response.json(),
    }
  },
})

const getTokens = bidirectional(
  new RestEndpoint({
    urlPrefix: 'https://api.example.com',
    path: '/both',
    schema: { results: [Todo], nextPage: '', prevPage: '' },
    paginationField: 'page',
  }),
  { previous: 'page' },
)
const today = '2026-11-29'

function BothWays() {
  const calendar = useInfinite(getAppointments, { from: today }, bothWays)
  const byTokens = useInfinite(getTokens, undefined, {
    previous: ({ prevPage }) => prevPage && { page: prevPage },
    next: ({ nextPage }) => nextPage && { page: nextPage },
  })
  return [calendar, byTokens]
    .flatMap(({ hasPrevious, hasNext }) => [hasPrevious, hasNext])
    .join(' ')
}

test('lists in both directions', async () => {
  serve({
    'GET /appointment?from=2026-11-29': [
      { id: 1, title: 'Call', start: '2026-11-30' },
    ],
    'GET /both': {
      results: [{ id: 1, title: 'One' }],
      nextPage: null,
      prevPage: 'x',
    },
  })
  const root = await openReact(<BothWays />)
  await vi.waitFor(() =>
    expect(document.body.textContent).toBe('true true true false'),
  )
  await act(async () => root.unmount())
})

function Forms() {
  const byOffset = useInfinite(getByOffset, undefined, {
    next: (todos) => ({ offset: todos.length }),
  })
  const byToken = useInfinite(getByToken, undefined, {
    next: ({ nextPage }) => nextPage && { page: nextPage },
  })
  const byLink = useInfinite(getByLink, undefined, {
    next: ({ link }) => linkParams(link),
  })
  const byNumber = useInfinite(
    todoResource.getList,
    { userId: 1 },
    {
      page: todoResource.getList.paginated('page'),
      next: (todos, { pages }) =>
        todos.length < pages * 20 ? undefined : { page: pages + 1 },
    },
  )
  return [byOffset, byToken, byLink, byNumber]
    .map(({ hasNext }) => String(hasNext))
    .join(' ')
}

test('what names a page', async () => {
  serve({
    'GET /todo': [{ id: 1, title: 'One' }],
    'GET /todo?userId=1': [{ id: 1, title: 'One' }],
    'GET /feed': { results: [{ id: 1, title: 'One' }], nextPage: 'x' },
    'GET /linked': () =>
      Response.json([{ id: 1, title: 'One' }], {
        headers: {
          link: '<https://api.example.com/linked?page=2>; rel="next"',
        },
      }),
  })
  const root = await openReact(<Forms />)
  await vi.waitFor(() =>
    expect(document.body.textContent).toBe('true true true false'),
  )
  await act(async () => root.unmount())
})
