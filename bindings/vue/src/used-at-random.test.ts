import { mount } from '@vue/test-utils'
import { nextTask } from '@selfsame/conformance/next-task'
import { describeUsedAtRandom } from '@selfsame/conformance/used-at-random'
import { defineComponent, h, nextTick, shallowRef } from 'vue'
import { AsyncBoundary, dataPlugin, useDLE, useSuspense } from './index.js'

describeUsedAtRandom(async ({ controller, tasks, hook, areAlone, place: first }) => {
  const Title = defineComponent({
    props: { id: { type: Number, required: true } },
    async setup(props) {
      const args = () => ({ id: props.id })
      if (hook === 'useSuspense') {
        const task = await useSuspense(tasks.get, args)
        return () => h('i', task.value.title)
      }
      const { data } = useDLE(tasks.get, args)
      return () => h('i', data.value?.title)
    },
  })
  const failed = () => h('s')
  const alone = (id: number) => h(AsyncBoundary, null, { default: () => h(Title, { id }), error: failed })
  const List = defineComponent({
    props: { group: { type: Number, required: true } },
    async setup(props) {
      const list = await useSuspense(tasks.getList, () => ({ group: props.group }))
      return () =>
        list.value.map(({ id, title }) =>
          h('li', { key: id }, [h('span', title), areAlone ? alone(id) : h(Title, { id })]),
        )
    },
  })
  const Detail = defineComponent({
    props: { id: { type: Number, required: true } },
    async setup(props) {
      const task = await useSuspense(tasks.get, () => ({ id: props.id }))
      return () => h('b', task.value.title)
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
