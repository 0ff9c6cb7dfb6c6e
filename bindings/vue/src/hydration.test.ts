import { createSSRApp, defineComponent, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expect, test } from 'vitest'
import { createStage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, dataPlugin, useSuspense } from './index.js'

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
