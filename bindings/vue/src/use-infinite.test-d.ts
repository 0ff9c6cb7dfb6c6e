import { Entity } from '@selfsame/core'
import type { PagesOptionsOf, ReadEndpoint } from '@selfsame/core'
import { RestEndpoint, bidirectional, createResource } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { ref } from 'vue'
import { useInfinite } from './index.js'

class Todo extends Entity {
  id = 0
  title = ''
}

const todo = createResource({ path: '/group/:group/todo/:id', schema: Todo })
const getFeed = new RestEndpoint({
  path: '/feed',
  schema: { results: [Todo], nextPage: '' },
  paginationField: 'page',
})
const getPlain = new RestEndpoint({ path: '/plain', schema: [Todo] })

test('useInfinite gives the list and types what next is given', () => {
  const list = useInfinite(todo.getList, () => ({ group: 'a' }), {
    next: (todos) => ({ cursor: todos.at(-1)?.id }),
  })
  expectTypeOf(list.data.value).toEqualTypeOf<Todo[] | undefined>()
  expectTypeOf(list.hasNext.value).toEqualTypeOf<boolean>()
  expectTypeOf(list.fetchNext).toEqualTypeOf<() => Promise<void>>()
  const state = list.state.value
  if (!state.loading && state.error === undefined) expectTypeOf(state.data).toEqualTypeOf<Todo[]>()
  const feed = useInfinite(getFeed, undefined, { next: ({ nextPage }) => nextPage && { page: nextPage } })
  expectTypeOf(feed.data.value).toEqualTypeOf<{ results: Todo[]; nextPage: string } | undefined>()
})

test('endpoint and params may be refs and getters', () => {
  const options = { next: () => undefined }
  expectTypeOf(useInfinite(todo.getList, ref({ group: 'a' }), options).data.value).toEqualTypeOf<
    Todo[] | undefined
  >()
  expectTypeOf(useInfinite(() => todo.getList, { group: 'a' }, options).data.value).toEqualTypeOf<
    Todo[] | undefined
  >()
  useInfinite(todo.getList, () => null, options)
})

test('the endpoint is not inferred from options that have a declared type', () => {
  const options: PagesOptionsOf<typeof todo.getList, ReadEndpoint> = {
    next: (todos) => ({ cursor: todos[0]?.id }),
  }
  const lists = [
    useInfinite(todo.getList, { group: 'a' }, options),
    useInfinite(() => todo.getList, { group: 'a' }, options),
    useInfinite(ref(todo.getList), ref({ group: 'a' }), options),
  ]
  for (const list of lists) expectTypeOf(list.data.value).toEqualTypeOf<Todo[] | undefined>()
  // As a wrapper has them that knows no more of its endpoint.
  const any = {} as PagesOptionsOf<ReadEndpoint, ReadEndpoint>
  useInfinite(
    () => todo.getList as ReadEndpoint,
    () => ({}),
    any,
  )
})

test('an endpoint without getPage is given one', () => {
  const plain = useInfinite(getPlain, undefined, {
    page: getPlain.paginated('page'),
    next: (todos, { pages }) => (todos.length < pages * 20 ? undefined : { page: pages + 1 }),
  })
  expectTypeOf(plain.data.value).toEqualTypeOf<Todo[] | undefined>()
})

test('a list in both directions types what previous is given', () => {
  const getTodos = bidirectional(todo.getList, { previous: 'before', next: 'after', start: 'from' })
  const list = useInfinite(
    getTodos,
    { group: 'a' },
    {
      previous: (todos) => ({ before: todos[0]?.id }),
      next: (todos) => ({ after: todos.at(-1)?.id }),
    },
  )
  expectTypeOf(list.data.value).toEqualTypeOf<Todo[] | undefined>()
  expectTypeOf(list.hasPrevious.value).toEqualTypeOf<boolean>()
  expectTypeOf(list.fetchPrevious).toEqualTypeOf<() => Promise<void>>()
  const getTokens = bidirectional(getFeed, { previous: 'page' })
  useInfinite(getTokens, undefined, { previous: ({ nextPage }) => nextPage && { page: nextPage } })
  expectTypeOf(getTodos.getPreviousPage).toBeCallableWith({ group: 'a', before: 5 })
  expectTypeOf(getTodos.getPage).toBeCallableWith({ group: 'a', after: 5 })
  // @ts-expect-error the param that names a previous page is missing
  void getTodos.getPreviousPage({ group: 'a' })
  // @ts-expect-error a list in both directions is given the previous page
  useInfinite(getTodos, { group: 'a' }, { next: () => undefined })
  // @ts-expect-error the params of a page are an object
  useInfinite(getTodos, { group: 'a' }, { previous: () => 5 })
  // @ts-expect-error other lists have no previous pages
  useInfinite(todo.getList, { group: 'a' }, { next: () => undefined, previous: () => undefined })
})

// The directives are the assertions: each one fails if the next line compiles.
// eslint-disable-next-line vitest/expect-expect
test('what names no page is refused', () => {
  // @ts-expect-error a param of the path is missing
  useInfinite(todo.getList, {}, { next: () => undefined })
  // @ts-expect-error the same by a getter
  useInfinite(todo.getList, () => ({}), { next: () => undefined })
  // @ts-expect-error there is no endpoint for further pages
  useInfinite(getPlain, undefined, { next: () => undefined })
  // @ts-expect-error the params of a page are an object
  useInfinite(todo.getList, { group: 'a' }, { next: () => 5 })
})
