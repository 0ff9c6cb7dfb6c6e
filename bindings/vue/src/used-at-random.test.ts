import { mount } from '@vue/test-utils'
import { nextTask } from '@selfsame/conformance/next-task'
import { describeUsedAtRandom, labelOf } from '@selfsame/conformance/used-at-random'
import { defineComponent, h, nextTick, shallowRef } from 'vue'
import type { PropType } from 'vue'
import { AsyncBoundary, dataPlugin, useDLE, useQuery, useSuspense } from './index.js'

/** A temporary id is a string. */
const idType = { type: [Number, String] as unknown as PropType<number>, required: true } as const

describeUsedAtRandom(async ({ controller, tasks, sorted, listing, hook, areAlone, place: first }) => {
  const Title = defineComponent({
    props: { id: idType },
    async setup(props) {
      const args = () => ({ id: props.id })
      if (hook === 'useSuspense') {
        const task = await useSuspense(tasks.get, args)
        return () => h('i', labelOf(task.value))
      }
      const { data } = useDLE(tasks.get, args)
      return () => h('i', labelOf(data.value))
    },
  })
  const failed = () => h('s')
  const alone = (id: number) => h(AsyncBoundary, null, { default: () => h(Title, { id }), error: failed })
  const List = defineComponent({
    props: { group: { type: Number, required: true } },
    async setup(props) {
      const args = () => ({ group: props.group })
      const inOrder = useQuery(sorted, args)
      const list = await useSuspense(tasks.getList, args)
      return () =>
        (listing === 'Query' ? (inOrder.value ?? []) : list.value).map((task) => {
          const { id } = task
          return h('li', { key: id }, [h('span', labelOf(task)), areAlone ? alone(id) : h(Title, { id })])
        })
    },
  })
  const Detail = defineComponent({
    props: { id: idType },
    async setup(props) {
      const task = await useSuspense(tasks.get, () => ({ id: props.id }))
      return () => h('b', labelOf(task.value))
    },
  })
  const place = shallowRef(first)
  const page = () => {
    const { group, isListed, selected } = place.value
    return h('main', [
      isListed && h(AsyncBoundary, null, { default: () => h(List, { group }), error: failed }),
      selected !== undefined &&
        h(AsyncBoundary, { key: selected }, { default: () => h(Detail, { id: selected }), error: () => [] }),
    ])
  }
  const wrapper = mount(
    { render: page },
    { global: { stubs: { transition: false }, plugins: [[dataPlugin, { controller }]] } },
  )
  const settle = async () => {
    for (let turn = 0; turn < 4; turn++) {
      await nextTask()
      await nextTick()
    }
  }
  await settle()
  return {
    screen: wrapper.element as HTMLElement,
    async go(next) {
      place.value = next
      await nextTick()
    },
    settle,
    async unmount() {
      wrapper.unmount()
    },
  }
})
