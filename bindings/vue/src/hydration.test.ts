import { dehydrate, hydrate } from '@selfsame/core/hydration'
import { createSSRApp, defineComponent, h, useId } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expect, test } from 'vitest'
import { createStage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, dataPlugin, useCache, useDLE, useQuery, useSuspense } from './index.js'

watchConsole()

function createPage({ api, controller }: ReturnType<typeof createStage>) {
  const Reader = defineComponent({
    async setup() {
      const todo = await useSuspense(api.todo.get, { id: 5 })
      return () => h('p', todo.value.title)
    },
  })
  const slots = { default: () => [h('h1', 'Title'), h(Reader)], fallback: () => 'Loading' }
  return createSSRApp(() => h(AsyncBoundary, null, slots)).use(dataPlugin, { controller })
}

for (const isThere of [true, false]) {
  test(`a page of the server is taken over when its data is ${isThere ? '' : 'not '}there`, async () => {
    const html = await renderToString(createPage(createStage()))
    const stage = createStage()
    const { api, controller, server } = stage
    if (isThere) await controller.fetch(api.todo.get, { id: 5 })
    server.hold('GET /todo/5')
    const element = document.createElement('div')
    element.innerHTML = html
    const paragraph = element.querySelector('p')
    const app = createPage(stage)
    app.mount(element)
    await settle()
    expect(element.textContent).toBe('TitleTodo 5')
    server.release()
    await settle()
    expect(element.querySelector('p')).toBe(paragraph)
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(paragraph?.textContent).toBe('Changed')
    expect(server.requests).toEqual(['GET /todo/5'])
    app.unmount()
  })
}

/** A page with readers that do not wait, above and below one that fetches, and a log of what they rendered. */
function createPlainPage({ api, controller }: ReturnType<typeof createStage>) {
  const { get } = api.todo
  const rendered: string[] = []
  const Plain = defineComponent({
    props: { name: { type: String, required: true } },
    setup({ name }) {
      const id = useId()
      const cached = useCache(get, { id: 5 })
      const queried = useQuery(get.schema, { id: 5 })
      const { data, loading } = useDLE(get, { id: 5 })
      return () => {
        const shown = [cached, queried, data].map(({ value }) => value?.title ?? 'nothing')
        rendered.push(`${name}: ${[...shown, loading.value].join(', ')}`)
        return h('p', { id }, rendered.at(-1))
      }
    },
  })
  const Reader = defineComponent({
    async setup() {
      const todo = await useSuspense(get, { id: 5 })
      return () => [h('h2', todo.value.title), h(Plain, { name: 'below' })]
    },
  })
  const content = { default: () => h(Reader), fallback: () => 'Loading' }
  const app = createSSRApp(() => [h(Plain, { name: 'above' }), h(AsyncBoundary, null, content)])
  return { app: app.use(dataPlugin, { controller }), rendered }
}

for (const isThere of [false, true]) {
  test(`readers that wait for nothing first render what the server rendered, which ${isThere ? 'had' : 'did not have'} the data`, async () => {
    const onServer = createStage()
    if (isThere) await onServer.controller.fetch(onServer.api.todo.get, { id: 5 })
    const html = await renderToString(createPlainPage(onServer).app)
    const full = 'Todo 5, Todo 5, Todo 5, false'
    const above = isThere ? full : 'nothing, nothing, nothing, true'
    expect(html).toContain(`above: ${above}</p>`)
    expect(html).toContain(`below: ${full}</p>`)
    const stage = createStage()
    const { api, controller, server } = stage
    hydrate(controller, JSON.parse(JSON.stringify(dehydrate(onServer.controller))))
    const element = document.createElement('div')
    element.innerHTML = html
    const paragraphs = [...element.querySelectorAll('p')]
    const { app, rendered } = createPlainPage(stage)
    app.mount(element)
    await settle()
    expect(rendered[0]).toBe(`above: ${above}`)
    expect(rendered.filter((each) => each.startsWith('below'))).toEqual([`below: ${full}`])
    expect([...element.querySelectorAll('p')]).toEqual(paragraphs)
    expect(paragraphs.map(({ textContent }) => textContent)).toEqual([`above: ${full}`, `below: ${full}`])
    controller.set(api.todo.get.schema, { id: 5 }, { title: 'Changed' })
    await settle()
    expect(paragraphs[0]?.textContent).toContain('Changed, Changed, Changed')
    expect(server.requests).toEqual([])
    app.unmount()
  })
}
