import { reply, todoFields } from '@selfsame/conformance'
import { hydrateFromPage } from '@selfsame/core/hydration'
import { createSSRApp, defineComponent, h, onServerPrefetch, ref, useId } from 'vue'
import type { App } from 'vue'
import { expect, onTestFinished, test } from 'vitest'
import { createStage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, dataPlugin, useCache, useDLE, useSuspense, withOptions } from './index.js'
import type { ErrorSlotProps } from './index.js'
import { createServerRequest } from './ssr.js'

watchConsole()

type Prepare = (stage: ReturnType<typeof createStage>) => void
type Stage = Pick<ReturnType<typeof createStage>, 'api' | 'controller'>

/** Renders an app on a server and hydrates it in a page. */
async function hydrated(createPage: (stage: Stage) => App, prepare: Prepare = () => {}) {
  const onServer = createStage()
  prepare(onServer)
  const request = createServerRequest({ clock: onServer.clock })
  const { html, script } = await request.renderToString(
    createPage({ ...onServer, controller: request.controller }),
  )
  const element = document.body.appendChild(document.createElement('div'))
  element.innerHTML = `<div id="app">${html}</div>${script}`
  const stage = createStage()
  prepare(stage)
  hydrateFromPage(stage.controller)
  const root = element.querySelector('#app') as HTMLElement
  const served = root.innerHTML
  const app = createPage(stage)
  app.mount(root)
  onTestFinished(() => {
    app.unmount()
    element.remove()
  })
  return { ...stage, html, root, served, onServer }
}

const createFailingPage = ({ api, controller }: Stage) => {
  const Reader = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => h('p', todo.value.title)
    },
  })
  const slots = {
    default: () => [h('h1', 'Title'), h(Reader)],
    fallback: () => 'Loading',
    error: ({ error, reset }: ErrorSlotProps) =>
      h('button', { onClick: reset }, `${error.name} ${error.message}`),
  }
  const content = () => [h('header', 'Head'), h(AsyncBoundary, null, slots), h('footer', 'Foot')]
  return createSSRApp(content).use(dataPlugin, { controller })
}

for (const status of [404, 500]) {
  test(`a failure of the server with ${status} is shown by a page that arrives late, and asks again when it is reset`, async () => {
    let secondsOnTheWay = 0
    const page = await hydrated(createFailingPage, ({ clock, server }) => {
      server.route('GET /todo/5', reply.status(status))
      clock.advance(secondsOnTheWay * 1000)
      secondsOnTheWay = 20
    })
    expect(page.html).toContain('<h1>Title</h1><!---->')
    const message = `NetworkError Todo.get failed: ${status} from GET https://api.test/todo/5.`
    const footer = page.root.querySelector('footer')
    const button = page.root.querySelector('button')
    expect(button?.textContent).toBe(message)
    await settle()
    expect(page.root.innerText).toBe(`Head${message}\nFoot`)
    expect(page.server.requests).toEqual([])
    page.server.route('GET /todo/5', todoFields(5))
    button?.click()
    await settle()
    expect(page.root.textContent).toBe('HeadTitleTodo 5Foot')
    expect(page.root.querySelector('footer')).toBe(footer)
    expect(page.server.requests).toEqual(['GET /todo/5'])
  })
}

test('a page is taken over as it is, without a request, also by readers that wait for nothing', async () => {
  const createPage = ({ api, controller }: Stage) => {
    const Reader = defineComponent({
      async setup() {
        const todo = await useSuspense(api.todo.get, { id: 5 })
        return () => h('p', todo.value.title)
      },
    })
    const Prefetching = defineComponent({
      setup() {
        const { state } = useDLE(api.user.get, { id: 1 })
        onServerPrefetch(() => controller.fetchIfStale(api.user.get, { id: 1 }))
        return () => h('i', state.value.loading ? 'loading' : state.value.data?.name)
      },
    })
    const Plain = defineComponent({
      setup() {
        const todo = useCache(api.todo.get, { id: 5 })
        return () => h('b', todo.value?.title ?? 'nothing')
      },
    })
    const content = () => [h(Plain), h(AsyncBoundary, null, { default: () => [h(Reader), h(Prefetching)] })]
    return createSSRApp(content).use(dataPlugin, { controller })
  }
  const page = await hydrated(createPage)
  expect(page.served).toContain('<b>nothing</b>')
  expect(page.served).toContain('<p>Todo 5</p><i>User 1</i>')
  await settle()
  expect(page.root.textContent).toBe('Todo 5Todo 5User 1')
  expect(page.root.querySelector('i')?.textContent).toBe('User 1')
  expect(page.server.requests).toEqual([])
  page.controller.set(page.api.todo.get.schema, { id: 5 }, { title: 'Changed' })
  await settle()
  expect(page.root.textContent).toBe('ChangedChangedUser 1')
})

test.each(['useCache', 'useDLE', 'a useDLE that the server awaits'])(
  'below a component with %s, readers and ids repeat what the server rendered',
  async (name) => {
    const createPage = ({ api, controller }: Stage) => {
      const isAwaited = name.includes('awaits')
      const readUser = () =>
        name === 'useCache'
          ? useCache(api.user.get, { id: 1 })
          : useDLE(withOptions(api.user.get, { ssr: isAwaited }), { id: 1 }).data
      const Reader = defineComponent({
        async setup() {
          const todo = await useSuspense(api.todo.get, { id: 5 })
          return () => h('p', todo.value.title)
        },
      })
      const Counting = defineComponent({
        setup() {
          const todo = useCache(api.todo.get, { id: 5 })
          const id = useId()
          return () => [todo.value && h('b', todo.value.title), h('i', { id }), h(Reader)]
        },
      })
      const Outer = defineComponent({
        setup() {
          const user = readUser()
          return () => h('main', [user.value?.name ?? 'nobody', h(Counting), h(Counting)])
        },
      })
      return createSSRApp(() => h(AsyncBoundary, null, { default: () => h(Outer) })).use(dataPlugin, {
        controller,
      })
    }
    const page = await hydrated(createPage)
    expect(page.served).not.toContain('<b>')
    await settle()
    const user = name === 'useCache' ? 'nobody' : 'User 1'
    expect(page.root.textContent).toBe(`${user}${'Todo 5'.repeat(4)}`)
    const ids = [...page.served.matchAll(/<i id="(.*?)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(2)
    expect([...page.root.querySelectorAll('i')].map(({ id }) => id)).toEqual(ids)
  },
)

test('what waited for nothing on the server is asked for by the page, once', async () => {
  const createPage = ({ api, controller }: Stage) => {
    const Reader = defineComponent({
      setup() {
        const { state } = useDLE(api.todo.get, { id: 5 })
        return () => h('p', state.value.loading ? 'loading' : state.value.data?.title)
      },
    })
    return createSSRApp(() => [h(Reader), h(Reader)]).use(dataPlugin, { controller })
  }
  const page = await hydrated(createPage)
  expect(page.onServer.server.requests).toEqual([])
  expect(page.html).toContain('<p>loading</p><p>loading</p>')
  await settle()
  expect(page.root.textContent).toBe('Todo 5Todo 5')
  expect(page.server.requests).toEqual(['GET /todo/5'])
})

test.each([
  ['a ref', ref],
  ['a getter', (value: boolean) => () => value],
])('the option ssr may be %s: the server waits for a reader where it is true', async (_, optionOf) => {
  const page = await hydrated(({ api, controller }) => {
    const Reader = defineComponent({
      setup() {
        const waited = useDLE(withOptions(api.todo.get, { ssr: optionOf(true) }), { id: 5 })
        const other = useDLE(withOptions(api.todo.get, { ssr: optionOf(false) }), { id: 6 })
        return () => h('p', `${waited.data.value?.title}, ${other.data.value?.title}`)
      },
    })
    return createSSRApp(Reader).use(dataPlugin, { controller })
  })
  expect(page.html).toBe('<p>Todo 5, undefined</p>')
  expect(page.onServer.server.requests).toEqual(['GET /todo/5'])
  await settle()
  expect(page.root.textContent).toBe('Todo 5, Todo 6')
  expect(page.server.requests).toEqual(['GET /todo/6'])
})
