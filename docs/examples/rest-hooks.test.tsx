import { Entity, debounced, schema } from '@selfsame/core'
import {
  RestEndpoint,
  createResource,
  hookifyResource,
} from '@selfsame/core/rest'
import { TestClock, createMockController } from '@selfsame/core/testing'
import { useCache, useController, useFetch, useSuspense } from '@selfsame/react'
import { renderDataHook } from '@selfsame/react/testing'
import { createContext, use } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'

// The samples of docs/rest.md that are written for React.

afterEach(() => vi.unstubAllGlobals())

const urlPrefix = 'https://api.example.com'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: Todo,
})
const articleResource = createResource({
  urlPrefix,
  path: '/article/:id',
  schema: Article,
  searchParams: {} as { author?: number; text?: string },
  paginationField: 'cursor',
})
const lines = (requests: ReturnType<typeof serve>) =>
  requests.map(({ line }) => line)

test('further pages are appended', async () => {
  const requests = serve({
    'GET /article?author=2': [{ id: 10 }, { id: 20 }],
    'GET /article?author=2&cursor=20': [{ id: 30 }],
  })
  const { result, settle, unmount } = renderDataHook(
    () => {
      const controller = useController()
      const articles = useSuspense(articleResource.getList, { author: 2 })
      const last = articles.at(-1)
      const loadMore = () =>
        last &&
        controller.fetch(articleResource.getList.getPage, {
          author: 2,
          cursor: last.id,
        })
      return { articles, loadMore }
    },
    { unanswered: 'fetch' },
  )
  await settle()
  await result.current.loadMore()
  await settle()
  expect(result.current.articles.map(({ id }) => id)).toEqual([10, 20, 30])
  expect(lines(requests)).toEqual([
    'GET /article?author=2',
    'GET /article?author=2&cursor=20',
  ])
  await unmount()
})

test('a feed is paged by its token', async () => {
  serve({
    'GET /feed': { results: [{ id: 1 }], nextPage: 'b' },
    'GET /feed?page=b': { results: [{ id: 2 }], nextPage: '' },
  })
  const getFeed = new RestEndpoint({
    urlPrefix,
    path: '/feed',
    schema: { results: new schema.Collection([Article]), nextPage: '' },
    paginationField: 'page',
  })
  const { result, settle, unmount } = renderDataHook(
    () => {
      const controller = useController()
      const { results, nextPage } = useSuspense(getFeed)
      const loadMore = () =>
        controller.fetch(getFeed.getPage, { page: nextPage })
      return { results, nextPage, loadMore }
    },
    { unanswered: 'fetch' },
  )
  await settle()
  expect(result.current).toMatchObject({ results: [{ id: 1 }], nextPage: 'b' })
  await result.current.loadMore()
  await settle()
  expect(result.current).toMatchObject({
    results: [{ id: 1 }, { id: 2 }],
    nextPage: '',
  })
  await unmount()
})

const TokenContext = createContext('secret')

test('a token of a context goes out with each request', async () => {
  const requests = serve({ 'GET /todo/5': { id: 5, title: 'Write' } })
  const todoHooks = hookifyResource(todoResource, () => ({
    headers: { 'Access-Token': use(TokenContext) },
  }))

  const { result, settle, unmount } = renderDataHook(
    () => {
      const get = todoHooks.useGet()
      const todo = useSuspense(get, { id: 5 })
      return todo
    },
    { unanswered: 'fetch' },
  )
  await settle()
  expect(result.current.title).toBe('Write')
  expect(requests[0]?.headers.get('Access-Token')).toBe('secret')
  await unmount()
})

const currentUser = new RestEndpoint({
  urlPrefix,
  path: '/current_user',
  schema: Todo,
})
const NotAuthorized = () => null

test('the cache says whether somebody is logged in', async () => {
  const requests = serve({})
  const { result, unmount } = renderDataHook(
    () => {
      const user = useCache(currentUser)
      if (user === undefined) return <NotAuthorized />
      return user
    },
    { unanswered: 'fetch' },
  )
  expect(result.current).toMatchObject({ type: NotAuthorized })
  expect(requests).toEqual([])
  await unmount()
})

test('after a login the user is fetched', async () => {
  const requests = serve({
    'POST /login': { id: 1 },
    'GET /current_user': { id: 1 },
  })
  const login = new RestEndpoint({
    urlPrefix,
    path: '/login',
    method: 'POST',
    body: {} as { name: string; password: string },
    schema: Todo,
  })
  const [name, password] = ['Ann', 'secret']
  const { result, controller, settle, unmount } = renderDataHook(
    () => useCache(currentUser),
    {
      unanswered: 'fetch',
    },
  )
  await controller.fetch(login, { name, password })
  expect(controller.read(currentUser).data).toBeUndefined()
  await controller.fetch(currentUser)
  await settle()
  expect(result.current?.id).toBe(1)
  expect(lines(requests)).toEqual(['POST /login', 'GET /current_user'])
  await unmount()
})

test('a search field waits for the last key', async () => {
  const requests = serve({ 'GET /article': [{ id: 1 }] })
  const clock = new TestClock()
  const controller = createMockController({ clock, unanswered: 'fetch' })
  const searchArticles = debounced(articleResource.getList, { delayMs: 300 })
  const { result, rerender, settle, unmount } = renderDataHook(
    ({ text }: { text: string }) => {
      const found = useCache(searchArticles, { text })
      useFetch(searchArticles, { text })
      return found
    },
    { controller, props: { text: 'a' } },
  )
  await rerender({ text: 'ab' })
  clock.advance(300)
  await vi.waitFor(() =>
    expect(lines(requests)).toEqual(['GET /article?text=ab']),
  )
  await settle()
  await vi.waitFor(() =>
    expect(result.current?.map(({ id }) => id)).toEqual([1]),
  )
  await unmount()
})
