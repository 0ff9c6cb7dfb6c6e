import { describeListOfRows } from '@selfsame/conformance/list-of-rows'
import { defineComponent, h, onMounted } from 'vue'
import type { PropType } from 'vue'
import { mountPage, settle } from '../test-support.js'
import { AsyncBoundary, useDLE, useDLEAll, useFetch, useSuspense, useSuspenseAll } from './index.js'

describeListOfRows(async ({ api, controller, hook, areAlone, isFirstOnly, onRow }) => {
  const Row = defineComponent({
    props: { id: { type: Number, required: true } },
    async setup(props) {
      const args = () => ({ id: props.id })
      onMounted(() => onRow(props.id))
      if (hook === 'useSuspense') {
        const todo = await useSuspense(api.todo.get, args)
        return () => h('i', todo.value.title)
      }
      if (hook === 'useSuspenseAll') {
        const all = await useSuspenseAll(() => [[api.todo.get, args()]])
        return () => h('i', all.value[0].title)
      }
      if (hook === 'useFetch') useFetch(api.todo.get, args)
      const { data } = useDLE(api.todo.get, args)
      return () => h('i', data.value?.title)
    },
  })
  const Rows = defineComponent({
    props: { ids: { type: Array as PropType<readonly number[]>, required: true } },
    async setup(props) {
      onMounted(() => props.ids.forEach(onRow))
      const calls = () => props.ids.map((id) => [api.todo.get, { id }] as const)
      const all = hook === 'useDLEAll at once' ? useDLEAll(calls).data : await useSuspenseAll(calls)
      return () => all.value.map((todo) => h('i', todo?.title))
    },
  })
  const List = defineComponent({
    async setup() {
      const todos = await useSuspense(api.todo.getList)
      const row = (id: number) => h(Row, { id, key: id })
      const rows = () => [h(Rows, { ids: todos.value.map(({ id }) => Number(id)) })]
      if (isFirstOnly) return () => [h(Row, { id: Number(todos.value[0]?.id) })]
      if (hook.endsWith('at once')) return () => (areAlone ? h(AsyncBoundary, null, rows) : rows())
      return () =>
        todos.value.map(({ id }) =>
          areAlone ? h(AsyncBoundary, { key: id }, () => row(Number(id))) : row(Number(id)),
        )
    },
  })
  const error = ({ reset }: { readonly reset: () => void }) => h('button', { onClick: reset }, 'Try again')
  const { element } = await mountPage(controller, () =>
    h(AsyncBoundary, null, { default: () => h(List), error }),
  )
  return {
    texts: () => [...element.querySelectorAll('i')].map(({ textContent }) => textContent ?? ''),
    retry: () => element.querySelector('button')?.click(),
    settle,
  }
})
