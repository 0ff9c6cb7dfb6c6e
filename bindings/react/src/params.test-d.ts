import { Controller, Endpoint, Entity, Query, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import {
  useCache,
  useCancelling,
  useDLE,
  useFetch,
  useInfinite,
  useLast,
  useLive,
  usePrefetch,
  useProgress,
  useQuery,
  useSelect,
  useStatus,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from './index.js'

class Article extends Entity {
  id = 0
  title = ''
  author = 0
}

const { get, getList, partialUpdate } = createResource({
  path: '/article/:id',
  schema: Article,
  searchParams: { author: 0, sort: 'date' },
})
const { get: anyGet, getList: anyList } = createResource({ path: '/article/:id', schema: Article })
const settings = new Endpoint(async (filter: { team: string; locale?: string }) => filter, {
  name: 'settings',
})
const byIds = new Endpoint(async (ids: readonly number[], _format?: 'short' | 'long') => ids, {
  name: 'byIds',
})
const byAuthor = new Query(new schema.All(Article), (all, { author }: { author: number }) =>
  all.filter((article) => article.author === author),
)
const condition = Math.random() > 0.5
const next = () => undefined

// The directives are the assertions: each one fails if the next line compiles.
/* eslint-disable vitest/expect-expect */
test('a search param that the endpoint does not have does not compile', () => {
  // @ts-expect-error no param "autor"
  void new Controller().fetch(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useSuspense(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useCache(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  void useFetch(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useDLE(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useLast(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useLive(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useSubscription(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useStatus(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useProgress(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  usePrefetch(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useCancelling(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useSelect(getList, () => 1, { autor: 2 })
  // @ts-expect-error no param "autor"
  useInfinite(getList, { autor: 2 }, { next })
  // @ts-expect-error no param "autor"
  useSuspenseAll([[getList, { autor: 2 }]])
  // @ts-expect-error no param "autor"
  useSuspenseAll({ articles: [getList, { autor: 2 }] })
  // @ts-expect-error no argument "autor"
  useQuery(byAuthor, { author: 2, autor: 2 })
})

test('a param beside those of the path does not compile in any hook', () => {
  // @ts-expect-error no param "stat"
  useSuspense(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useCache(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  void useFetch(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useDLE(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useLast(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useLive(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useSubscription(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useStatus(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useProgress(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  usePrefetch(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useCancelling(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useSelect(anyGet, () => 1, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  void new Controller().fetch(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useSuspenseAll([[anyGet, { id: 5, stat: 2 }]])
})

test('a param beside those of the path does not compile', () => {
  // @ts-expect-error no param "stat"
  useSuspense(get, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useCache(get, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useDLE(get, condition ? { id: 5, stat: 2 } : null)
  // @ts-expect-error no param "stat"
  useProgress(partialUpdate, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  useCancelling(partialUpdate, { id: 5, stat: 2 }, { title: 'x' })
  // @ts-expect-error no field "titel"
  useCancelling(partialUpdate, { id: 5 }, { titel: 'x' })
  // @ts-expect-error no field "local"
  useSuspense(settings, { team: 'a', local: 'de' })
  // @ts-expect-error no field "idd"
  useQuery(Article, { id: 5, idd: 5 })
})
/* eslint-enable vitest/expect-expect */

test('all that an endpoint has compiles', () => {
  expectTypeOf(useSuspense(getList)).toEqualTypeOf<Article[]>()
  expectTypeOf(useSuspense(getList, { author: 2 })).toEqualTypeOf<Article[]>()
  expectTypeOf(useSuspense(getList, condition ? { author: 2, sort: 'title' } : {})).toEqualTypeOf<Article[]>()
  expectTypeOf(useSuspense(anyList, { autor: 2 })).toEqualTypeOf<Article[]>()
  expectTypeOf(useSuspense(get, condition ? { id: 5 } : null)).toEqualTypeOf<Article | undefined>()
  expectTypeOf(useSuspense(settings, { team: 'a', locale: 'de' })).toEqualTypeOf<{
    team: string
    locale?: string
  }>()
  expectTypeOf(useSuspense(byIds, [1, 2], 'short')).toEqualTypeOf<readonly number[]>()
  expectTypeOf(
    useSuspenseAll([
      [getList, { author: 2 }],
      [get, null],
    ]),
  ).toEqualTypeOf<readonly [Article[], undefined]>()
  expectTypeOf(useQuery(byAuthor, { author: 2 })).toEqualTypeOf<Article[] | undefined>()
  expectTypeOf(useQuery(Article, { id: 5 })).toEqualTypeOf<Article | undefined>()
  expectTypeOf(useCancelling(partialUpdate, { id: 5 }, { title: 'x' })).toEqualTypeOf(partialUpdate)
  // As with `controller.fetch`, a value made before may have more.
  const made = { id: 5, title: 'x' }
  expectTypeOf(useSuspense(get, made)).toEqualTypeOf<Article>()
  const path = new RestEndpoint({ path: condition ? '/a/:id' : '/b/:id', schema: Article })
  expectTypeOf(useSuspense(path, { id: 5 })).toEqualTypeOf<Article>()
})

// That it compiles is the assertion.
// eslint-disable-next-line vitest/expect-expect
test('a call without params is read on a condition', () => {
  const settingsNow = new Endpoint(async () => 'dark', { name: 'theme' })
  useSuspense(settingsNow, condition ? undefined : null)
  useSuspense(anyList, condition ? undefined : null)
  useCache(settingsNow, condition ? undefined : null)
  useCache(anyList, condition ? undefined : null)
  void useFetch(settingsNow, condition ? undefined : null)
  void useFetch(anyList, condition ? undefined : null)
  useDLE(settingsNow, condition ? undefined : null)
  useDLE(anyList, condition ? undefined : null)
  useLast(settingsNow, condition ? undefined : null)
  useLast(anyList, condition ? undefined : null)
  useLive(settingsNow, condition ? undefined : null)
  useLive(anyList, condition ? undefined : null)
  useSubscription(settingsNow, condition ? undefined : null)
  useSubscription(anyList, condition ? undefined : null)
  useStatus(settingsNow, condition ? undefined : null)
  useStatus(anyList, condition ? undefined : null)
  useProgress(settingsNow, condition ? undefined : null)
  useProgress(anyList, condition ? undefined : null)
  usePrefetch(settingsNow, condition ? undefined : null)
  usePrefetch(anyList, condition ? undefined : null)
})
