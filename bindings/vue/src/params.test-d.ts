import { Controller, Endpoint, Entity, Query, schema } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { computed, ref } from 'vue'
import type { Ref } from 'vue'
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
  useStatus,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from './index.js'
import type { SuspenseHandle } from './index.js'

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
test('a param that the endpoint does not have does not compile', () => {
  // @ts-expect-error no param "autor"
  void new Controller().fetch(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  void useSuspense(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  void useSuspense(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  void useCache(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  void useCache(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  void useFetch(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  void useFetch(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useDLE(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useDLE(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useLast(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useLast(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  void useLive(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  void useLive(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useSubscription(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useSubscription(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useStatus(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useStatus(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useProgress(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useProgress(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  usePrefetch(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  usePrefetch(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useCancelling(getList, { autor: 2 })
  // @ts-expect-error no param "autor"
  useCancelling(getList, () => ({ autor: 2 }))
  // @ts-expect-error no param "autor"
  useInfinite(getList, { autor: 2 }, { next })
  // @ts-expect-error no argument "autor"
  useQuery(byAuthor, { author: 2, autor: 2 })
  // @ts-expect-error no param "autor"
  void useSuspenseAll([[getList, { autor: 2 }]])
  // @ts-expect-error no param "autor"
  useInfinite(getList, () => ({ autor: 2 }), { next })
  // @ts-expect-error no argument "autor"
  useQuery(byAuthor, () => ({ author: 2, autor: 2 }))
  // @ts-expect-error no param "autor"
  void useSuspenseAll([[getList, () => ({ autor: 2 })]])
  // @ts-expect-error no param "autor"
  void useSuspenseAll(() => [[getList, { autor: 2 }]])
  // @ts-expect-error no param "autor"
  void useSuspenseAll({ articles: [getList, { autor: 2 }] })
  // @ts-expect-error no param "autor", in a getter of all arguments
  void useSuspense(getList, () => [{ autor: 2 }])
})

test('a param beside those of the path does not compile in any hook', () => {
  // @ts-expect-error no param "stat"
  void useSuspense(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  void useCache(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  void useFetch(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useDLE(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useLast(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  void useLive(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useSubscription(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useStatus(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useProgress(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  usePrefetch(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useCancelling(anyGet, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  void new Controller().fetch(anyGet, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  void useSuspenseAll([[anyGet, { id: 5, stat: 2 }]])
})

test('a param beside those of the path does not compile', () => {
  // @ts-expect-error no param "stat"
  void useSuspense(get, { id: 5, stat: 2 })
  // @ts-expect-error no param "stat"
  void useSuspense(get, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  void useSuspense(get, ref({ id: 5, stat: 2 }))
  const source = () => get
  // @ts-expect-error no param "stat", with a getter of the endpoint
  void useSuspense(source, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no param "stat"
  useDLE(get, () => (condition ? { id: 5, stat: 2 } : null))
  // @ts-expect-error no param "stat"
  useProgress(partialUpdate, () => ({ id: 5, stat: 2 }))
  // @ts-expect-error no field "titel"
  useCancelling(partialUpdate, { id: 5 }, () => ({ titel: 'x' }))
  // @ts-expect-error no field "local"
  void useSuspense(settings, () => ({ team: 'a', local: 'de' }))
  // @ts-expect-error no field "idd"
  useQuery(Article, () => ({ id: 5, idd: 5 }))
})
/* eslint-enable vitest/expect-expect */

test('all that an endpoint has compiles', () => {
  expectTypeOf(useSuspense(getList)).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(useSuspense(getList, { author: 2 })).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(useSuspense(getList, () => ({ author: 2 }))).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(useSuspense(getList, () => [{ author: 2 }])).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(useSuspense(getList, ref({ author: 2 }))).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(useSuspense(getList, () => (condition ? { author: 2, sort: 'title' } : {}))).toEqualTypeOf<
    SuspenseHandle<Article[]>
  >()
  expectTypeOf(useSuspense(anyList, () => ({ autor: 2 }))).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(useSuspense(get, () => (condition ? { id: 5 } : null))).toEqualTypeOf<
    SuspenseHandle<Article | undefined>
  >()
  expectTypeOf(useSuspense(byIds, [1, 2], 'short')).toEqualTypeOf<SuspenseHandle<readonly number[]>>()
  expectTypeOf(useSuspense(byIds, () => [[1, 2], 'short'])).toEqualTypeOf<SuspenseHandle<readonly number[]>>()
  void useInfinite(getList, () => ({ author: 2 }), { next })
  void useInfinite(getList, () => (condition ? { author: 2 } : null), { next })
  void useInfinite(getList, undefined, { next })
  const author: Ref<{ author: number }> = ref({ author: 2 })
  expectTypeOf(useSuspense(getList, author)).toEqualTypeOf<SuspenseHandle<Article[]>>()
  expectTypeOf(
    useSuspense(
      getList,
      computed(() => ({ author: 2 })),
    ),
  ).toEqualTypeOf<SuspenseHandle<Article[]>>()
})

// That it compiles is the assertion.
// eslint-disable-next-line vitest/expect-expect
test('a call without params is read on a condition', () => {
  const settingsNow = new Endpoint(async () => 'dark', { name: 'theme' })
  void useSuspense(settingsNow, () => (condition ? undefined : null))
  void useSuspense(anyList, () => (condition ? undefined : null))
  void useCache(settingsNow, () => (condition ? undefined : null))
  void useCache(anyList, () => (condition ? undefined : null))
  void useFetch(settingsNow, () => (condition ? undefined : null))
  void useFetch(anyList, () => (condition ? undefined : null))
  useDLE(settingsNow, () => (condition ? undefined : null))
  useDLE(anyList, () => (condition ? undefined : null))
  useLast(settingsNow, () => (condition ? undefined : null))
  useLast(anyList, () => (condition ? undefined : null))
  void useLive(settingsNow, () => (condition ? undefined : null))
  void useLive(anyList, () => (condition ? undefined : null))
  useSubscription(settingsNow, () => (condition ? undefined : null))
  useSubscription(anyList, () => (condition ? undefined : null))
  useStatus(settingsNow, () => (condition ? undefined : null))
  useStatus(anyList, () => (condition ? undefined : null))
  useProgress(settingsNow, () => (condition ? undefined : null))
  useProgress(anyList, () => (condition ? undefined : null))
  usePrefetch(settingsNow, () => (condition ? undefined : null))
  usePrefetch(anyList, () => (condition ? undefined : null))
})
