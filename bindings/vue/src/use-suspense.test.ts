import { Endpoint } from '@selfsame/core'
import { listenersOf, reply, retainersOf, todoFields } from '@selfsame/conformance'
import type { Todo } from '@selfsame/conformance'
import { createPinia, defineStore } from 'pinia'
import {
  KeepAlive,
  Suspense,
  computed,
  defineComponent,
  effectScope,
  h,
  isProxy,
  isReadonly,
  isRef,
  nextTick,
  onErrorCaptured,
  reactive,
  ref,
  shallowRef,
  watch,
} from 'vue'
import type { Ref } from 'vue'
import { describe, expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import {
  AsyncBoundary,
  useCache,
  useController,
  useDLE,
  useFetch,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from './index.js'
import type { SuspenseHandle, SuspenseRef } from './index.js'

const { take } = watchConsole()

const bounded = (content: () => unknown, keepPrevious = false) =>
  h(
    AsyncBoundary,
    { keepPrevious },
    {
      default: content as () => string,
      fallback: () => 'Loading',
      error: ({ error }: { error: Error }) => `Failed: ${error.message}`,
    },
  )

describe('arguments', () => {
  const { api } = createStage()
  const kinds: Readonly<Record<string, (id: Ref<number>) => unknown>> = {
    'a value': () => ({ id: 5 }),
    'a ref': (id) => computed(() => ({ id: id.value })),
    'a getter': (id) => () => ({ id: id.value }),
    'a getter of all': (id) => () => [{ id: id.value }],
    'a reactive object': (id) => reactive({ id }),
  }
  for (const [kind, makeArgs] of Object.entries(kinds)) {
    test(`are taken as ${kind}, and followed`, async () => {
      const { controller, server } = createStage()
      const endpoint = api.todo.get.extend({ fetchResponse: (url, init) => server.fetch(url, init) })
      const id = ref(5)
      const Reader = defineComponent({
        async setup() {
          const todo = await useSuspense(endpoint, makeArgs(id) as { id: number })
          return () => todo.value.title
        },
      })
      const page = await mountPage(controller, () => bounded(() => h(Reader)))
      expect(page.text()).toBe('Todo 5')
      id.value = 6
      await settle()
      expect(page.text()).toBe(kind === 'a value' ? 'Todo 5' : 'Todo 6')
    })
  }

  test('are read from props, and a change makes one request', async () => {
    const { api: todos, controller, server } = createStage()
    const Reader = defineComponent({
      props: { id: { type: Number, required: true } },
      async setup(props) {
        const todo = await useSuspense(todos.todo.get, () => ({ id: props.id }))
        return () => todo.value.title
      },
    })
    const id = ref(5)
    const page = await mountPage(controller, () => bounded(() => h(Reader, { id: id.value })))
    id.value = 6
    await settle()
    expect(page.text()).toBe('Todo 6')
    expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
  })

  test('given as a reactive object reach the endpoint as plain values', async () => {
    const { api: todos, controller } = createStage()
    let handed: unknown
    const endpoint = todos.greet.extend({
      fetch: async (args: { id: number; nested: { list: number[] } }) => {
        handed = args
        return { greeting: 'Hi' }
      },
    })
    const args = reactive({ id: 5, nested: { list: [1] } })
    const scope = effectScope()
    const { app } = await mountPage(controller, () => '')
    app.runWithContext(() => scope.run(() => useSuspense(endpoint, args)))
    expect([handed, (handed as typeof args).nested, (handed as typeof args).nested.list].some(isProxy)).toBe(
      false,
    )
    expect(handed).toEqual({ id: 5, nested: { list: [1] } })
    scope.stop()
  })

  test('that cannot make a key are an error of the boundary', async () => {
    const { api: todos, controller } = createStage()
    const id = shallowRef<number | undefined>(5)
    const Reader = defineComponent({
      async setup() {
        const todo = await useSuspense(todos.todo.get, () => ({ id: id.value as number }))
        return () => todo.value.title
      },
    })
    const page = await mountPage(controller, () => bounded(() => h(Reader)))
    id.value = undefined
    await settle()
    expect(page.text()).toContain('is missing "id"')
  })
})

describe('the handle', () => {
  /** Mounts a reader, and returns its handle and what awaiting it gave. */
  async function mountReader(isAwaited: boolean) {
    const stage = createStage()
    const { api, controller, server } = stage
    const id = shallowRef<number | null>(5)
    let handle: SuspenseHandle<Todo | undefined> | undefined
    let result: SuspenseRef<Todo | undefined> | undefined
    const seen: unknown[] = []
    const Reader = defineComponent({
      async setup() {
        handle = useSuspense(api.todo.get, () => (id.value === null ? null : { id: id.value }))
        if (isAwaited) result = await handle
        return () => {
          seen.push(handle?.value?.id)
          return handle?.value?.title ?? 'nothing'
        }
      },
    })
    server.hold('GET /todo/5', 'GET /todo/6')
    const page = await mountPage(controller, () => bounded(() => h(Reader)))
    return { ...stage, id, page, seen, handle: () => handle, result: () => result }
  }

  test('gives a readonly ref of the data, which is no proxy', async () => {
    const { server, result, controller, api } = await mountReader(true)
    server.release()
    await settle()
    const todo = result()
    expect(isRef(todo)).toBe(true)
    expect(isProxy(todo?.value)).toBe(false)
    expect(todo?.value).toBe(controller.get(api.todo.get.schema, { id: 5 }))
    expect('then' in (todo ?? {})).toBe(false)
    Object.assign(todo ?? {}, { value: 'other' })
    Object.assign(todo?.pending ?? {}, { value: true })
    expect(todo?.value).toMatchObject({ id: 5 })
    expect(take().join()).toMatch(/readonly.*readonly/s)
  })

  test.each([
    ['and is not awaited, leaves its component on screen', false, 'nothing'],
    ['and is awaited, takes its component off the screen', true, ''],
  ])('that loses its data without a boundary, %s', async (_title, isAwaited, shown) => {
    const { api, controller, server } = createStage()
    const Reader = defineComponent({
      async setup() {
        const handle = useSuspense(api.todo.get, { id: 5 })
        if (isAwaited) await handle
        return () => h('p', handle.value?.title ?? 'nothing')
      },
    })
    const page = await mountPage(controller, () => h(Suspense, null, { default: () => h(Reader) }))
    expect(page.text()).toBe('Todo 5')
    server.hold('GET /todo/5')
    controller.resetAll()
    await settle()
    expect(page.text()).toBe(shown)
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 5')
  })

  test('has its members before it is awaited', async () => {
    const { handle, page, server } = await mountReader(false)
    expect(handle()?.value).toBeUndefined()
    expect(handle()?.pending.value).toBe(true)
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(handle()?.pending.value).toBe(false)
    expect(page.text()).toBe('Todo 5')
  })

  test('keeps its last value while it waits for other arguments', async () => {
    const { id, page, result, seen, server } = await mountReader(true)
    server.release('GET /todo/5')
    await settle()
    id.value = 6
    await settle()
    expect(result()?.value).toMatchObject({ id: 5 })
    expect(result()?.pending.value).toBe(true)
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(result()?.value).toMatchObject({ id: 6 })
    expect(result()?.pending.value).toBe(false)
    expect(page.text()).toBe('Todo 6')
    expect(seen).toEqual([5, 6])
  })

  test('waits for the last of the arguments that change before the first answer', async () => {
    const { id, page, seen, server } = await mountReader(true)
    id.value = 6
    await settle()
    server.release('GET /todo/5')
    await settle()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(seen).toEqual([6])
  })

  test('is settled by null arguments while it waits', async () => {
    const { id, page } = await mountReader(true)
    id.value = null
    await settle()
    expect(page.text()).toBe('nothing')
  })

  test('drops its last value at a reset, before anything else is rendered', async () => {
    const { controller, page, result, seen, server } = await mountReader(true)
    server.release()
    await settle()
    const before = result()
    server.hold('GET /todo/5')
    controller.resetAll()
    expect(before?.value).toBeUndefined()
    await nextTick()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 5')
    expect(seen).toEqual([5, 5])
  })

  test('shows the error of a refetch beside the data', async () => {
    const { api, controller, page, result, server } = await mountReader(true)
    server.release()
    await settle()
    server.route('GET /todo/5', reply.status(500))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(result()?.error.value).toMatchObject({ status: 500 })
    expect(page.text()).toBe('Todo 5')
  })
})

test('watchers made after an await follow the data', async () => {
  const { api, controller } = createStage()
  const titles: string[] = []
  const Reader = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      watch(todo, ({ title }) => titles.push(title))
      return () => todo.value.title
    },
  })
  const page = await mountPage(controller, () => bounded(() => h(Reader)))
  controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
  await settle()
  expect(titles).toEqual(['Changed'])
  expect(page.text()).toBe('Changed')
})

test('readers of one component start together when they are awaited together', async () => {
  const { api, controller, server } = createStage()
  server.hold('GET /todo/5', 'GET /user/1')
  const Reader = defineComponent({
    async setup() {
      const [todo, user] = await Promise.all([
        useSuspense(api.todo.get, { id: 5 }),
        useSuspense(api.user.get, { id: 1 }),
      ])
      return () => `${todo.value.title} of ${user.value.name}`
    },
  })
  const page = await mountPage(controller, () => bounded(() => h(Reader)))
  expect(server.requests).toEqual(['GET /todo/5', 'GET /user/1'])
  server.release('GET /todo/5')
  await settle()
  expect(page.text()).toBe('Loading')
  server.release()
  await settle()
  expect(page.text()).toBe('Todo 5 of User 1')
})

test('an argument may come from another reader of the component', async () => {
  const { api, controller } = createStage()
  const Reader = defineComponent({
    async setup() {
      const id = useCache(api.user.get, { id: 1 })
      const todo = await useSuspense(api.todo.get, () =>
        id.value === undefined ? null : { id: id.value.id },
      )
      return () => todo.value?.title ?? 'nothing'
    },
  })
  const page = await mountPage(controller, () => bounded(() => h(Reader)))
  expect(page.text()).toBe('nothing')
  await controller.fetch(api.user.get, { id: 1 })
  await settle()
  expect(page.text()).toBe('Todo 1')
})

describe('what is derived', () => {
  test('follows the arguments in the tick in which they change', async () => {
    const { api, clock, controller, server } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.todo.get, { id: 6 })
    const id = ref(5)
    const { app } = await mountPage(controller, () => '')
    const scope = effectScope(true)
    const args = () => ({ id: id.value })
    const read = app.runWithContext(() =>
      scope.run(() => ({
        suspense: useSuspense(api.todo.get, args),
        cache: useCache(api.todo.get, args),
        query: useQuery(api.todo.get.schema, args),
        dle: useDLE(api.todo.get, args),
        fetch: useFetch(api.todo.get, args),
      })),
    )
    if (read === undefined) throw new Error('The scope is stopped.')
    const first = read.fetch.value
    const look = () => [
      read.suspense.value?.id,
      read.suspense.pending.value,
      read.cache.value?.id,
      read.query.value?.id,
      read.dle.data.value?.id,
      read.dle.loading.value,
    ]
    expect(look()).toEqual([5, false, 5, 5, 5, false])
    id.value = 6
    expect(look()).toEqual([6, false, 6, 6, 6, false])
    expect(read.fetch.value).not.toBe(first)
    expect(await read.fetch.value).toBe(read.cache.value)
    server.route('GET /todo/2', todoFields(2))
    server.hold('GET /todo/1', 'GET /todo/2')
    id.value = 1
    expect(look()).toEqual([6, true, undefined, undefined, undefined, true])
    id.value = 2
    expect(look()).toEqual([6, true, undefined, undefined, undefined, true])
    await settle()
    clock.advance(0)
    // The request that started between two ticks is aborted.
    expect(server.aborted).toEqual(['GET /todo/1'])
    server.release()
    await settle()
    expect(look()).toEqual([2, false, 2, 2, 2, false])
    expect(server.requests.slice(2)).toEqual(['GET /todo/1', 'GET /todo/2'])
    scope.stop()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })

  test('is readonly, and inside of reactive objects, lists and maps the data as it is', async () => {
    const { api, controller } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    const { app } = await mountPage(controller, () => '')
    const scope = effectScope(true)
    const data = app.runWithContext(() => scope.run(() => useCache(api.todo.get, { id: 5 })))
    if (data === undefined) throw new Error('The scope is stopped.')
    const todo = controller.get(api.todo.get.schema, { id: 5 })
    Object.assign(data, { value: 'other' })
    expect(take().join()).toMatch(/readonly/)
    expect(isReadonly(data)).toBe(true)
    expect(reactive({ data }).data).toBe(todo)
    const list = reactive([data])
    for (const { value } of list) expect(value).toBe(todo)
    expect(reactive(new Map([['todo', data]])).get('todo')?.value).toBe(todo)
    let changes = 0
    watch(list, () => changes++, { flush: 'sync' })
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    expect(changes).toBe(1)
    scope.stop()
  })

  test('is no state of a Pinia store: it is neither serialized nor made a proxy', async () => {
    const { api, controller } = createStage()
    await controller.fetch(api.todo.get, { id: 5 })
    const pinia = createPinia()
    const page = await mountPage(
      controller,
      () => '',
      (app) => void app.use(pinia),
    )
    const useStore = defineStore('todos', () => ({
      suspense: useSuspense(api.todo.get, { id: 5 }),
      cache: useCache(api.todo.get, { id: 5 }),
      query: useQuery(api.todo.get.schema, { id: 5 }),
      fetch: useFetch(api.todo.get, { id: 5 }),
      ...useDLE(api.todo.get, { id: 5 }),
    }))
    const store = page.app.runWithContext(() => useStore())
    const changes: unknown[] = []
    store.$subscribe((change) => changes.push(change), { flush: 'sync' })
    expect(JSON.stringify(pinia.state.value)).toBe('{"todos":{}}')
    const todo = controller.get(api.todo.get.schema, { id: 5 })
    const shown = () => [store.suspense, store.cache, store.query, store.data, store.state.data]
    for (const each of shown()) expect(each).toBe(todo)
    expect(store.loading).toBe(false)
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    for (const each of shown()) expect(each).toBe(controller.get(api.todo.get.schema, { id: 5 }))
    expect(changes).toEqual([])
    store.$dispose()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })
})

describe('lifetime', () => {
  test('without a scope it reads once, says so once for a call, and leaves nothing behind', async () => {
    const { api, controller, server } = createStage()
    const { app } = await mountPage(controller, () => '')
    for (let navigation = 0; navigation < 3; navigation++) {
      const todo = await app.runWithContext(() => useSuspense(api.todo.get, { id: 5 }))
      expect(todo.value).toMatchObject({ title: 'Todo 5' })
      expect(app.runWithContext(() => useCache(api.todo.get, { id: 5 })).value).toBe(todo.value)
      app.runWithContext(() => useSubscription(api.todo.get.extend({ pollFrequency: 5000 }), { id: 5 }))
    }
    expect(server.requests).toEqual(['GET /todo/5'])
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
    const remedy =
      'is read only once here: the component does not show later changes.\n  There is no effect scope here. Call it in effectScope().run(), or use controller.fetch().'
    expect(take()).toEqual([
      `[selfsame] useSuspense(Todo.get) ${remedy}`,
      `[selfsame] useCache(Todo.get) ${remedy}`,
      `[selfsame] useSubscription(Todo.get) ${remedy}`,
    ])
  })

  test('a reader that is unmounted while it waits leaves nothing behind', async () => {
    const { api, controller, server } = createStage()
    server.hold('GET /todo/5')
    const isShown = ref(true)
    const Reader = defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, { id: 5 })
        return () => todo.value.title
      },
    })
    const page = await mountPage(controller, () => bounded(() => (isShown.value ? h(Reader) : 'gone')))
    expect(listenersOf(controller)).toBe(1)
    isShown.value = false
    await settle()
    expect(page.text()).toBe('gone')
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
    server.release()
    await settle()
    expect(page.text()).toBe('gone')
  })

  test('a scope outside of components listens and keeps until it is stopped', async () => {
    const { api, controller } = createStage()
    const { app } = await mountPage(controller, () => '')
    const scope = effectScope(true)
    const todo = app.runWithContext(() => scope.run(() => useCache(api.todo.get, { id: 5 })))
    await controller.fetch(api.todo.get, { id: 5 })
    expect(todo?.value).toMatchObject({ id: 5 })
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([1, 1])
    scope.stop()
    expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
  })

  test('a store made in a setup() goes on when the component is deactivated', async () => {
    const { api, controller } = createStage()
    const scope = effectScope(true)
    const isShown = ref(true)
    let todo: Readonly<Ref<Todo | undefined>> | undefined
    const Maker = defineComponent({
      setup() {
        todo = scope.run(() => useCache(api.todo.get, { id: 5 }))
        return () => 'made'
      },
    })
    const page = await mountPage(controller, () => h(KeepAlive, () => (isShown.value ? h(Maker) : undefined)))
    isShown.value = false
    await settle()
    expect(page.text()).toBe('')
    await controller.fetch(api.todo.get, { id: 5 })
    expect(todo?.value).toMatchObject({ id: 5 })
    scope.stop()
    expect(listenersOf(controller)).toBe(0)
  })

  test('a reader deactivated inside a boundary does not make it wait', async () => {
    const { api, controller, server } = createStage()
    const which = ref(5)
    const id = ref(5)
    const Reader = defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, () => ({ id: id.value }))
        return () => todo.value.title
      },
    })
    const page = await mountPage(controller, () =>
      bounded(() => [
        'Tabs ',
        h(KeepAlive, () => (which.value === 5 ? h(Reader) : h({ render: () => 'Other' }))),
      ]),
    )
    server.hold('GET /todo/6')
    id.value = 6
    await settle()
    expect(page.text()).toBe('Loading')
    which.value = 6
    await settle()
    expect(page.text()).toBe('Tabs Other')
    expect(listenersOf(controller)).toBe(0)
    which.value = 5
    await settle()
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    expect(page.text()).toBe('Tabs Todo 6')
  })

  test('arguments that change while deactivated are asked for when the reader is shown again', async () => {
    const { api, controller, server } = createStage()
    const isShown = ref(true)
    const id = ref(5)
    const Reader = defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, () => ({ id: id.value }))
        return () => todo.value.title
      },
    })
    const Kept = defineComponent({ render: () => bounded(() => h(Reader)) })
    const page = await mountPage(controller, () => h(KeepAlive, () => (isShown.value ? h(Kept) : undefined)))
    isShown.value = false
    await settle()
    id.value = 6
    await settle()
    expect(server.requests).toEqual(['GET /todo/5'])
    isShown.value = true
    await settle()
    expect(page.text()).toBe('Todo 6')
    expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/6'])
  })

  test('hidden while it waits for the first time, it shows its data when it is shown', async () => {
    const { api, controller, server } = createStage()
    server.hold('GET /todo/5')
    const isShown = ref(true)
    const Reader = defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, { id: 5 })
        return () => todo.value.title
      },
    })
    const Kept = defineComponent({ render: () => bounded(() => h(Reader)) })
    const page = await mountPage(controller, () => h(KeepAlive, () => (isShown.value ? h(Kept) : undefined)))
    isShown.value = false
    await settle()
    server.release()
    await settle()
    expect(page.text()).toBe('')
    isShown.value = true
    await settle()
    expect(page.text()).toBe('Todo 5')
    expect(retainersOf(controller)).toBe(1)
  })
})

describe('without an AsyncBoundary', () => {
  const Reader = (api: ReturnType<typeof createStage>['api']) =>
    defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, { id: 5 })
        return () => `${todo.value.title}${todo.pending.value ? ' (pending)' : ''}`
      },
    })
  const capture = (content: ReturnType<typeof Reader>, errors: unknown[], isPassedOn = false) =>
    defineComponent({
      setup() {
        onErrorCaptured((error) => {
          errors.push(error)
          return isPassedOn
        })
        return () => h(Suspense, null, { default: () => h(content), fallback: () => 'Loading' })
      },
    })

  test('Suspense waits, and afterwards the last value stays with pending true', async () => {
    const { api, controller, server } = createStage()
    server.hold('GET /todo/5')
    const page = await mountPage(controller, () => h(capture(Reader(api), [])))
    expect(page.text()).toBe('Loading')
    server.release()
    await settle()
    server.hold('GET /todo/5')
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(page.text()).toBe('Todo 5 (pending)')
    server.release()
    await settle()
    expect(page.text()).toBe('Todo 5')
  })

  test('a later failure is reported once, to onErrorCaptured and to errorHandler', async () => {
    const { api, controller, server } = createStage()
    const captured: unknown[] = []
    const handled: unknown[] = []
    const App = capture(Reader(api), captured, true)
    const page = await mountPage(
      controller,
      () => h(App),
      (app) => {
        app.config.errorHandler = (error) => void handled.push(error)
      },
    )
    for (const status of [404, 500]) {
      server.route('GET /todo/5', reply.status(status))
      controller.invalidate(api.todo.get, { id: 5 })
      await settle()
      expect(captured.splice(0)).toMatchObject([{ status }])
      expect(handled.splice(0)).toMatchObject([{ status }])
      expect(page.text()).toBe('Todo 5')
    }
  })

  test('after a reset the component shows nothing until there is data, and its scripts read no undefined', async () => {
    const { api, controller, server } = createStage()
    const errors: unknown[] = []
    const seen: (string | undefined)[] = []
    const Content = defineComponent({
      async setup() {
        const [todo, user] = await Promise.all([
          useSuspense(api.todo.get, { id: 5 }),
          useSuspense(api.user.get, { id: 1 }),
        ])
        watch(
          () => todo.value.title,
          (title) => seen.push(title),
        )
        return () => h('p', `${todo.value.title} of ${user.value.name}`)
      },
    })
    const App = capture(Content as ReturnType<typeof Reader>, errors)
    const page = await mountPage(controller, () => h(App))
    for (const title of ['Other', 'Another']) {
      server.route('GET /todo/5', todoFields(5, { title }))
      server.hold('GET /todo/5', 'GET /user/1')
      controller.resetAll()
      await nextTick()
      expect(page.text()).toBe('')
      server.release('GET /user/1')
      await settle()
      expect(page.text()).toBe('')
      server.release()
      await settle()
      expect(page.text()).toBe(`${title} of User 1`)
    }
    expect(seen).toEqual(['Other', 'Another'])
    server.route('GET /todo/5', reply.status(403))
    controller.resetAll()
    await settle()
    expect(page.text()).toBe('')
    expect(errors).toMatchObject([{ status: 403 }])
  })

  test('errors go to onErrorCaptured: of the first load, and of later ones', async () => {
    const { api, controller, server } = createStage()
    const errors: unknown[] = []
    const App = capture(Reader(api), errors)
    const page = await mountPage(controller, () => h(App))
    server.route('GET /todo/5', reply.status(410))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(errors).toMatchObject([{ status: 410 }])
    expect(page.text()).toBe('Todo 5')
    const other = createStage()
    other.server.route('GET /todo/5', reply.status(404))
    const Other = capture(Reader(other.api), errors)
    await mountPage(other.controller, () => h(Other))
    expect(errors).toMatchObject([{ status: 410 }, { status: 404 }])
  })
})

describe('outside of a provider', () => {
  test('the error names the call and the remedy', async () => {
    const { api } = createStage()
    const errors: unknown[] = []
    const uses = [
      () => useController(),
      () => useCache(api.todo.get, { id: 5 }),
      () => useSuspense(api.todo.get, { id: 5 }),
      () => useLive(api.todo.get, { id: 5 }),
    ]
    for (const use of uses) {
      const Reader = defineComponent({ setup: () => (use(), () => '') })
      await mountPage(undefined, () => h(Reader)).catch((error: unknown) => errors.push(error))
    }
    const remedy =
      'was called outside a DataProvider. Wrap the app in <DataProvider>, or call app.use(dataPlugin).'
    expect(errors).toMatchObject([
      { code: 'provider-missing', message: `useController() ${remedy}` },
      { code: 'provider-missing', message: `useCache(Todo.get) ${remedy}` },
      { code: 'provider-missing', message: `useSuspense(Todo.get) ${remedy}` },
      { code: 'provider-missing', message: `useLive(Todo.get) ${remedy}` },
    ])
    expect(take().join()).toContain('Component is missing template or render function')
  })

  test('outside of setup() the error says so', () => {
    const { api } = createStage()
    expect(() => useSuspense(api.todo.get, { id: 5 })).toThrow(
      'useSuspense(Todo.get) was called outside a DataProvider. Call it in setup(), before the first await, or in app.runWithContext().',
    )
  })
})

test('an endpoint that changes data is refused', async () => {
  const { api, controller } = createStage()
  const errors: unknown[] = []
  const Reader = defineComponent({
    async setup() {
      await useSuspense(api.todo.delete as never, { id: 5 } as never)
      return () => ''
    },
  })
  await mountPage(
    controller,
    () => h(Suspense, null, { default: () => h(Reader) }),
    (app) => {
      app.config.errorHandler = (error) => void errors.push(error)
    },
  )
  expect(errors).toMatchObject([{ code: 'argument-invalid' }])
  expect(listenersOf(controller)).toBeLessThanOrEqual(1)
})

describe('frozen data in development', () => {
  test('is what `reactive` gives for it, however deep, so a write throws and changes nothing', async () => {
    const { controller } = createStage()
    const get = new Endpoint(() => Promise.resolve({ address: { city: 'Rome' }, tags: [{ name: 'x' }] }), {
      name: 'reactive and frozen',
    })
    let shown: { person: { address: { city: string }; tags: { name: string }[] } } | undefined
    const Person = defineComponent({
      async setup() {
        const person = await useSuspense(get)
        const state = reactive({ person: person.value })
        shown = state
        return () => state.person.address.city
      },
    })
    const { element } = await mountPage(controller, () => bounded(() => h(Person)))
    await settle()
    expect(element.textContent).toContain('Rome')
    const person = shown?.person
    expect([person, person?.address, person?.tags[0]].some(isProxy)).toBe(false)
    expect(() => ((person as { address: { city: string } }).address.city = 'Oslo')).toThrow(TypeError)
    expect(() => person?.tags.push({ name: 'y' })).toThrow(TypeError)
    expect(controller.read(get).data).toEqual({ address: { city: 'Rome' }, tags: [{ name: 'x' }] })
  })
})
