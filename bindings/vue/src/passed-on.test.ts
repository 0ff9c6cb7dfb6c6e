import { describePassedOn } from '@selfsame/conformance/passed-on'
import type { Todo } from '@selfsame/conformance/fixtures'
import { defineComponent, h, ref } from 'vue'
import type { PropType, VNodeChild } from 'vue'
import { mountPage, settle } from '../test-support.js'
import { AsyncBoundary, useSuspense, useSuspenseAll } from './index.js'

const todosProp = { todos: { type: Array as PropType<readonly Todo[]>, required: true } } as const

describePassedOn(async ({ api, controller, userId: first, receiver, depth, areCatching }) => {
  const shown = ref(first)
  const AllAtOnce = defineComponent({
    props: todosProp,
    async setup(props) {
      const all = await useSuspenseAll(() => props.todos.map(({ id }) => [api.todo.get, { id }] as const))
      return () => all.value.map(({ id, title }) => h('i', { key: id }, title))
    },
  })
  const Row = defineComponent({
    props: { id: { type: null as unknown as PropType<Todo['id']>, required: true } },
    async setup(props) {
      const todo = await useSuspense(api.todo.get, () => ({ id: props.id }))
      return () => h('i', todo.value.title)
    },
  })
  const Receiver = defineComponent({
    props: todosProp,
    setup(props) {
      if (receiver === 'all at once') return () => h(AllAtOnce, { todos: props.todos })
      if (receiver === 'one by one') return () => props.todos.map(({ id }) => h(Row, { id, key: id }))
      return () => props.todos.map(({ id, title }) => h('i', { key: id }, title))
    },
  })
  const fallback = () => '…'
  const error = ({ reset }: { readonly reset: () => void }) => h('button', { onClick: reset }, 'Try again')
  const passOn = (todos: readonly Todo[], left: number): VNodeChild =>
    left === 0
      ? h(Receiver, { todos })
      : h(AsyncBoundary, null, {
          default: () => passOn(todos, left - 1),
          fallback,
          ...(areCatching && { error }),
        })
  const List = defineComponent({
    async setup() {
      const todos = await useSuspense(api.todo.getList, () => ({ userId: shown.value }))
      return () => passOn(todos.value, depth)
    },
  })
  const { element } = await mountPage(controller, () =>
    h('main', [h(AsyncBoundary, null, { default: () => h(List), fallback, error })]),
  )
  const go = async (userId: number) => {
    shown.value = userId
    await settle()
  }
  return { screen: element, go, settle }
})
