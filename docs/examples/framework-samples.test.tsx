import { debounced } from '@selfsame/core'
import { GQLEndpoint, GQLEntity } from '@selfsame/core/graphql'
import { BlobEndpoint, ObjectUrlEndpoint } from '@selfsame/core/media'
import { TestClock, createMockController } from '@selfsame/core/testing'
import * as svelte from '@selfsame/svelte'
import * as svelteLegacy from '@selfsame/svelte/legacy'
import { renderDataHook as renderSvelteHook } from '@selfsame/svelte/testing'
import * as vue from '@selfsame/vue'
import * as vueLegacy from '@selfsame/vue/legacy'
import { renderDataHook as renderVueHook } from '@selfsame/vue/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ref } from 'vue'
import { articleResource, getFeed } from './counterparts/article-api.js'
import { createSearch } from './counterparts/search.svelte.js'
import { Article, User } from './legacy/article.js'
import { Todo } from './legacy/todo.js'
import { serve } from './testing-network.js'
import { todoResource } from './todo-mocks.js'

// Samples of docs/rest.md, graphql.md, media.md, legacy.md and testing.md in
// Vue, Svelte and plain TypeScript. Those in React are
// beside the others of their page.

afterEach(() => vi.unstubAllGlobals())

const servePages = () =>
  serve({
    'GET /article?author=2': [{ id: 10 }, { id: 20 }],
    'GET /article?author=2&cursor=20': [{ id: 30 }],
    'GET /feed': { results: [{ id: 1 }], nextPage: 'b' },
    'GET /feed?page=b': { results: [{ id: 2 }], nextPage: '' },
  })
const serveSearch = () => serve({ 'GET /article?text=ab': [{ id: 1 }] })
const lines = (requests: ReturnType<typeof serve>) =>
  requests.map(({ line }) => line)
const idsOf = (articles: readonly { id: number }[] | undefined) =>
  articles?.map(({ id }) => id)

const gql = new GQLEndpoint('https://api.example.com/graphql')
class Post extends GQLEntity {
  title = ''
  static override key = 'Post'
}
const getArticle = gql.query(
  (_variables: { id: string }) =>
    'query GetArticle($id: ID!) { article(id: $id) { id title author { id name } } }',
  { article: Post },
)
const renameArticle = gql.mutation(
  (_variables: { id: string; title: string }) =>
    'mutation RenameArticle($id: ID!, $title: String!) { renameArticle(id: $id, title: $title) { id title } }',
  { renameArticle: Post },
)
const serveArticle = () =>
  serve({
    'POST /graphql': ({
      body,
    }: {
      body: { variables: { id: string; title?: string } }
    }) => {
      const { id, title } = body.variables
      return title === undefined
        ? { data: { article: { id, title: 'Old' } } }
        : { data: { renameArticle: { id, title } } }
    },
  })

const getReport = new BlobEndpoint({ path: '/report/:id.pdf' })
const getAvatar = new ObjectUrlEndpoint({ path: '/user/:id/avatar' })
const pdf = () =>
  new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })
const serveFiles = () =>
  serve({ 'GET /report/5.pdf': pdf, 'GET /user/5/avatar': pdf })

const serveOld = () =>
  serve({
    'GET /article?page=1': [{ id: 1, title: 'Old' }],
    'GET /user/2': { id: 2, name: 'Ann' },
    'GET /todo': [{ id: 5, title: 'Write' }],
  })

const first = {
  endpoint: todoResource.get,
  args: [{ id: 1 }],
  response: { id: 1, title: 'Write tests' },
} as const
const second = {
  endpoint: todoResource.get,
  args: [{ id: 2 }],
  error: new Error('Offline'),
} as const

describe('in Vue', () => {
  const { useCache, useController, useFetch, useSuspense } = vue
  const renderDataHook = renderVueHook

  test('further pages are appended', async () => {
    const requests = servePages()
    const { result, settle, unmount } = renderDataHook(
      async () => {
        const controller = useController()
        const articles = await useSuspense(articleResource.getList, {
          author: 2,
        })
        const loadMore = () => {
          const last = articles.value.at(-1)
          return (
            last &&
            controller.fetch(articleResource.getList.getPage, {
              author: 2,
              cursor: last.id,
            })
          )
        }
        return { articles, loadMore }
      },
      { unanswered: 'fetch' },
    )
    await settle()
    await result.current.loadMore()
    await settle()
    expect(idsOf(result.current.articles.value)).toEqual([10, 20, 30])
    expect(lines(requests)).toEqual([
      'GET /article?author=2',
      'GET /article?author=2&cursor=20',
    ])
    await unmount()
  })

  test('a feed is paged by its token', async () => {
    servePages()
    const { result, settle, unmount } = renderDataHook(
      async () => {
        const controller = useController()
        const feed = await useSuspense(getFeed)
        const loadMore = () =>
          controller.fetch(getFeed.getPage, { page: feed.value.nextPage })
        return { feed, loadMore }
      },
      { unanswered: 'fetch' },
    )
    await settle()
    await result.current.loadMore()
    await settle()
    expect(result.current.feed.value).toMatchObject({
      results: [{ id: 1 }, { id: 2 }],
      nextPage: '',
    })
    await unmount()
  })

  test('a search field waits for the last key', async () => {
    const requests = serveSearch()
    const controller = createMockController({ unanswered: 'fetch' })
    const searchArticles = debounced(articleResource.getList, { delayMs: 300 })
    const text = ref('a')
    const { result, unmount } = renderDataHook(
      () => {
        const found = useCache(searchArticles, () => ({ text: text.value }))
        useFetch(searchArticles, () => ({ text: text.value }))
        return found
      },
      { controller },
    )
    text.value = 'ab'
    await vi.waitFor(() =>
      expect(lines(requests)).toEqual(['GET /article?text=ab']),
    )
    await vi.waitFor(() => expect(idsOf(result.current)).toEqual([1]))
    await unmount()
  })

  test('a query is read, and renamed by a mutation', async () => {
    serveArticle()
    const { controller, result, settle, unmount } = renderDataHook(
      async () => {
        const data = await useSuspense(getArticle, { id: '5' }) // data.value.article
        return data
      },
      { unanswered: 'fetch' },
    )
    await settle()
    await controller.fetch(renameArticle, { id: '5', title: 'New' })
    await settle()
    expect(result.current.article.title).toBe('New')
    await unmount()
  })

  test('files are read as a Blob, or by an address', async () => {
    serveFiles()
    const { result, settle, unmount } = renderDataHook(
      async () => {
        const [report, src] = await Promise.all([
          useSuspense(getReport, { id: 5 }), // a ref of a Blob
          useSuspense(getAvatar, { id: 5 }), // a ref of "blob:…", for <img :src>
        ])
        return { report, src }
      },
      { unanswered: 'fetch' },
    )
    await vi.waitFor(async () => {
      await settle()
      expect(result.pending).toBe(false)
    })
    expect(result.current.report.value.size).toBe(4)
    expect(result.current.src.value).toMatch(/^blob:/)
    await unmount()
  })

  test('the hooks of 4.5', async () => {
    serveOld()
    const {
      useCache,
      useError,
      useInvalidator,
      useResetter,
      useResource,
      useRetrieve,
    } = vueLegacy
    const id = 2 as number | undefined
    const { result, settle, unmount } = renderDataHook(
      async () => {
        const todo = useCache(Todo.detailShape(), { id: 5 })
        useRetrieve(Todo.listShape(), {})
        const error = useError(Todo.listShape(), {})
        const invalidate = useInvalidator(Article.listShape())
        const reset = useResetter()
        const both = await useResource(
          [Article.listShape(), { page: 1 }],
          [User.detailShape(), id === undefined ? null : { id }],
        )
        return { both, todo, error, invalidate, reset }
      },
      { unanswered: 'fetch' },
    )
    await vi.waitFor(async () => {
      await settle()
      expect(result.pending).toBe(false)
      expect(result.current.todo.value?.title).toBe('Write')
    })
    expect(result.current.both.value).toMatchObject([
      { results: [{ title: 'Old' }] },
      { name: 'Ann' },
    ])
    await unmount()
  })
})

describe('in Svelte', () => {
  const { useController, useSuspense } = svelte
  const renderDataHook = renderSvelteHook

  test('further pages are appended', async () => {
    servePages()
    const { result, settle, unmount } = renderDataHook(
      () => {
        const controller = useController()
        const articles = useSuspense(articleResource.getList, { author: 2 })
        const loadMore = () => {
          const last = articles.current.at(-1)
          return (
            last &&
            controller.fetch(articleResource.getList.getPage, {
              author: 2,
              cursor: last.id,
            })
          )
        }
        return { articles, loadMore }
      },
      { unanswered: 'fetch' },
    )
    await settle()
    await result.current.articles
    await settle()
    await result.current.loadMore()
    await settle()
    expect(idsOf(result.current.articles.current)).toEqual([10, 20, 30])
    await unmount()
  })

  test('a feed is paged by its token', async () => {
    servePages()
    const { result, settle, unmount } = renderDataHook(
      () => {
        const controller = useController()
        const feed = useSuspense(getFeed)
        const loadMore = () =>
          controller.fetch(getFeed.getPage, { page: feed.current.nextPage })
        return { feed, loadMore }
      },
      { unanswered: 'fetch' },
    )
    await settle()
    await result.current.feed
    await result.current.loadMore()
    await settle()
    expect(result.current.feed.current).toMatchObject({
      results: [{ id: 1 }, { id: 2 }],
      nextPage: '',
    })
    await unmount()
  })

  test('a search field waits for the last key', async () => {
    const requests = serveSearch()
    const controller = createMockController({ unanswered: 'fetch' })
    const { result, unmount } = renderDataHook(createSearch, { controller })
    result.current.type('ab')
    await vi.waitFor(() =>
      expect(lines(requests)).toEqual(['GET /article?text=ab']),
    )
    await vi.waitFor(() => expect(idsOf(result.current.found)).toEqual([1]))
    await unmount()
  })

  test('a query is read, and renamed by a mutation', async () => {
    serveArticle()
    const { controller, result, settle, unmount } = renderDataHook(
      () => {
        const data = useSuspense(getArticle, { id: '5' }) // data.current.article
        return data
      },
      { unanswered: 'fetch' },
    )
    await settle()
    await controller.fetch(renameArticle, { id: '5', title: 'New' })
    await settle()
    expect(result.current.article.title).toBe('New')
    await unmount()
  })

  test('files are read as a Blob, or by an address', async () => {
    serveFiles()
    const { result, settle, unmount } = renderDataHook(
      () => {
        const report = useSuspense(getReport, { id: 5 }) // report.current: a Blob

        const src = useSuspense(getAvatar, { id: 5 }) // src.current: "blob:…", for <img src>
        return { report, src }
      },
      { unanswered: 'fetch' },
    )
    await settle()
    const { report, src } = result.current
    expect((await report).size).toBe(4)
    expect(await src).toMatch(/^blob:/)
    await unmount()
  })

  test('the hooks of 4.5', async () => {
    serveOld()
    const {
      useCache,
      useError,
      useInvalidator,
      useResetter,
      useResource,
      useRetrieve,
    } = svelteLegacy
    const id = 2 as number | undefined
    const { result, settle, unmount } = renderDataHook(
      () => {
        const both = useResource(
          [Article.listShape(), { page: 1 }],
          [User.detailShape(), id === undefined ? null : { id }],
        )
        const todo = useCache(Todo.detailShape(), { id: 5 })
        useRetrieve(Todo.listShape(), {})
        const error = useError(Todo.listShape(), {})
        const invalidate = useInvalidator(Article.listShape())
        const reset = useResetter()
        return { both, todo, error, invalidate, reset }
      },
      { unanswered: 'fetch' },
    )
    await settle()
    const { both, todo } = result.current
    expect(await both).toMatchObject([
      { results: [{ title: 'Old' }] },
      { name: 'Ann' },
    ])
    await vi.waitFor(() => expect(todo.current?.title).toBe('Write'))
    await unmount()
  })
})

describe('without a framework', () => {
  test('further pages are appended', async () => {
    servePages()
    const controller = createMockController({ unanswered: 'fetch' })
    const articles = await controller.fetch(articleResource.getList, {
      author: 2,
    })
    const last = articles.at(-1)
    const loadMore = () =>
      last &&
      controller.fetch(articleResource.getList.getPage, {
        author: 2,
        cursor: last.id,
      })
    await loadMore()
    expect(
      idsOf(controller.read(articleResource.getList, { author: 2 }).data),
    ).toEqual([10, 20, 30])
  })

  test('a feed is paged by its token', async () => {
    servePages()
    const controller = createMockController({ unanswered: 'fetch' })
    const { nextPage } = await controller.fetch(getFeed)
    const loadMore = () => controller.fetch(getFeed.getPage, { page: nextPage })
    await loadMore()
    expect(controller.read(getFeed).data).toMatchObject({
      results: [{ id: 1 }, { id: 2 }],
      nextPage: '',
    })
  })

  test('a query is read, and renamed by a mutation', async () => {
    serveArticle()
    const controller = createMockController({ unanswered: 'fetch' })
    const { article } = await controller.fetch(getArticle, { id: '5' })
    expect(article.title).toBe('Old')
    await controller.fetch(renameArticle, { id: '5', title: 'New' })
    expect(controller.get(Post, { id: '5' })?.title).toBe('New')
  })

  test('files are read as a Blob, or by an address', async () => {
    serveFiles()
    const controller = createMockController({ unanswered: 'fetch' })
    const report = await controller.fetch(getReport, { id: 5 }) // Blob

    const src = await controller.fetch(getAvatar, { id: 5 }) // "blob:…", for <img src>
    expect(report.size).toBe(4)
    expect(src).toMatch(/^blob:/)
    controller.dispose()
  })

  test('a todo is waited for, shown, and changed for another', async () => {
    const clock = new TestClock()
    const fixtures = [{ ...first, delayMs: 300 }, second]
    const controller = createMockController({ clock, fixtures })
    const todo = controller.fetch(todoResource.get, { id: 1 })
    clock.advance(300)
    expect((await todo).title).toBe('Write tests')
    await expect(controller.fetch(todoResource.get, { id: 2 })).rejects.toThrow(
      'Offline',
    )
    expect(controller.requests).toHaveLength(2)
    controller.dispose()
    expect(clock.timers).toBe(0)
  })
})
