import type { StreamSink } from '@selfsame/core'
import { reply } from '@selfsame/conformance'
import { defineComponent, h } from 'vue'
import { expect, test } from 'vitest'
import { createStage, mountPage, settle, watchConsole } from '../test-support.js'
import { AsyncBoundary, useLive } from './index.js'

watchConsole()

test('a component whose first request failed opens no stream', async () => {
  const { api, controller, server } = createStage()
  const opened: number[] = []
  const get = api.todo.get.extend({
    stream: (_sink: StreamSink, { id }: { id: number | string }) => {
      opened.push(Number(id))
      return () => {}
    },
  })
  const Title = defineComponent({
    props: { id: { type: Number, required: true } },
    async setup(props) {
      const todo = await useLive(get, () => ({ id: props.id }))
      return () => h('h1', todo.value.title)
    },
  })
  server.route('GET /todo/5', reply.status(404, {}))
  const page = (id: number) =>
    h(AsyncBoundary, null, { default: () => h(Title, { id }), error: () => h('p', 'failed') })
  await mountPage(controller, () => [page(5), page(6)])
  await settle()
  expect(document.body.textContent).toContain('failed')
  expect(opened).toEqual([6])
})
