// @vitest-environment node
import { listenersOf, retainersOf } from '@selfsame/conformance'
import { createSSRApp, defineComponent, h, ref } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expect, test } from 'vitest'
import { createStage, watchConsole } from '../test-support.js'
import {
  dataPlugin,
  useCancelling,
  useDebounce,
  useLast,
  useLoading,
  usePrefetch,
  useStatus,
} from './index.js'

watchConsole()

test('on a server the small hooks start nothing', async () => {
  const { api, clock, controller, server } = createStage()
  await controller.fetch(api.todo.get, { id: 6 })
  clock.advance(60_000)
  const { timers } = clock
  const Page = defineComponent({
    setup() {
      const text = ref('a')
      const debounced = useDebounce(text, 300)
      const { loading, isLast } = useLast(api.todo.get, { id: 5 })
      const status = useStatus(api.todo.get, { id: 6 })
      const saving = useLoading(useCancelling(api.todo.get, { id: 5 }).value)
      const { onIntent } = usePrefetch(api.todo.get, { id: 5 })
      text.value = 'b'
      return () => {
        const { fetching, stale, updatedAt } = status.value
        const shown = [
          debounced.value,
          loading.value,
          isLast.value,
          fetching,
          stale,
          updatedAt,
          saving.loading.value,
        ]
        return h('p', { ref: onIntent }, shown.map(String).join(' '))
      }
    },
  })
  const html = await renderToString(createSSRApp(Page).use(dataPlugin, { controller }))
  expect(html).toBe('<p>a true false false false undefined false</p>')
  await new Promise((resolve) => setTimeout(resolve))
  expect(server.requests).toEqual(['GET /todo/6'])
  expect(clock.timers).toBe(timers)
  expect([listenersOf(controller), retainersOf(controller)]).toEqual([0, 0])
})
