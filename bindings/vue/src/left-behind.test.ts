import { Controller, Endpoint, Entity } from '@selfsame/core'
import { expect, test, vi } from 'vitest'
import { createApp, defineComponent, h, nextTick, shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import {
  dataPlugin,
  useCache,
  useCancelling,
  useDLE,
  useDebounce,
  useFetch,
  useFetching,
  useLast,
  useLive,
  useMutations,
  usePrefetch,
  useProgress,
  useQuery,
  useStatus,
  useSubscription,
} from './index.js'

class Todo extends Entity {
  id = 0
  static override key = 'Todo'
}
const getTodo = new Endpoint(async ({ id }: { readonly id: number }) => ({ id }), {
  name: 'getTodo',
  schema: Todo,
  pollFrequency: 60_000,
})

type User = ShallowRef<{ readonly id: number } | undefined>

/** Each composable, with a getter that throws when there is no user. */
const composables: Readonly<Record<string, (args: () => { readonly id: number }) => unknown>> = {
  useCache: (args) => useCache(getTodo, args),
  useCancelling: (args) => useCancelling(getTodo, args),
  useDLE: (args) => useDLE(getTodo, args),
  useDebounce: (args) => useDebounce(() => args().id, 10),
  useFetch: (args) => useFetch(getTodo, args),
  useFetching: (args) => useFetching(() => [Todo, args().id] as const),
  useLast: (args) => useLast(getTodo, args),
  useLive: (args) => useLive(getTodo, args),
  useMutations: (args) => useMutations(() => [Todo, args().id] as const),
  usePrefetch: (args) => usePrefetch(getTodo, args),
  useProgress: (args) => useProgress(getTodo, args),
  useQuery: (args) => useQuery(Todo, args),
  useStatus: (args) => useStatus(getTodo, args),
  useSubscription: (args) => useSubscription(getTodo, args),
}

test.each(Object.keys(composables))(
  '%s reads no argument of a component that v-if is about to remove',
  async (name) => {
    const user: User = shallowRef({ id: 1 })
    const Child = defineComponent(() => {
      composables[name]!(() => ({ id: user.value!.id }))
      return () => h('p', user.value!.id)
    })
    const target = document.createElement('div')
    const app = createApp(() => (user.value === undefined ? null : h(Child)))
    const failed = vi.fn()
    app.config.errorHandler = failed
    app.use(dataPlugin, { controller: new Controller() }).mount(target)
    user.value = { id: 2 }
    await nextTick()
    expect(target.textContent).toBe('2')
    user.value = undefined
    await nextTick()
    expect(target.textContent).toBe('')
    expect(failed).not.toHaveBeenCalled()
    app.unmount()
  },
)
