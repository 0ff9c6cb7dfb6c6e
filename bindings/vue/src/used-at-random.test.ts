import { mount } from '@vue/test-utils'
import { nextTask } from '@selfsame/conformance/next-task'
import { isPaged, isRefused, labelOf, listArgs, nextPage } from '@selfsame/conformance/task-app'
import { describeUsedAtRandom } from '@selfsame/conformance/used-at-random'
import type { Task } from '@selfsame/conformance/task-app'
import { computed, defineComponent, h, nextTick, shallowRef } from 'vue'
import type { PropType } from 'vue'
import {
  AsyncBoundary,
  dataPlugin,
  useCache,
  useDLE,
  useDLEAll,
  useFetch,
  useInfinite,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from './index.js'

/** A temporary id is a string. */
const idType = { type: [Number, String] as unknown as PropType<number>, required: true } as const

describeUsedAtRandom(async (app) => {
  const { controller, tasks, groups, sorted, paged, connected, listing, hook, areAlone, place: first } = app
  const Title = defineComponent({
    props: { id: idType },
    async setup(props) {
      const args = () => ({ id: props.id })
      if (hook === 'useSuspense') {
        const task = await useSuspense(tasks.get, args)
        return () => h('i', labelOf(task.value))
      }
      if (hook === 'useFetch') {
        const task = useCache(tasks.get, args)
        useFetch(tasks.get, args)
        return () => h('i', labelOf(task.value))
      }
      const { data } = useDLE(tasks.get, args)
      return () => h('i', labelOf(data.value))
    },
  })
  const failed = () => h('s')
  const alone = (id: number) => h(AsyncBoundary, null, { default: () => h(Title, { id }), error: failed })
  const itemOf = (task: Task) =>
    h('li', { key: task.id }, [
      h('span', labelOf(task)),
      areAlone ? alone(task.id) : h(Title, { id: task.id }),
    ])
  const AllItems = defineComponent({
    props: { list: { type: Array as PropType<readonly Task[]>, required: true } },
    async setup(props) {
      const calls = () => props.list.map(({ id }) => [tasks.get, { id }] as const)
      const all = hook === 'useDLEAll' ? useDLEAll(calls).data : await useSuspenseAll(calls)
      return () =>
        props.list.map((task, index) =>
          h('li', { key: task.id }, [h('span', labelOf(task)), h('i', labelOf(all.value[index]))]),
        )
    },
  })
  const itemsOf = (list: readonly Task[]) => {
    if (hook !== 'useSuspenseAll' && hook !== 'useDLEAll') return list.map(itemOf)
    if (areAlone) return h(AsyncBoundary, null, { default: () => h(AllItems, { list }), error: failed })
    // In a list: Vue leaves the error of an only root unhandled, if its parent updates while it waits.
    return [h(AllItems, { list })]
  }
  const props = { group: { type: Number, required: true } } as const
  const isNested = listing === 'nested'
  const isPages = isPaged({ listing })
  const useConnection = (group: () => number) => {
    const args = () => listArgs(group())
    useSubscription(connected?.getList ?? tasks.getList, () =>
      connected && !isPages && !isNested ? args() : null,
    )
    useSubscription(connected?.paged ?? paged, () => (connected && isPages ? args() : null))
    useSubscription(connected?.getGroup ?? groups.get, () => (connected && isNested ? { id: group() } : null))
  }
  const List = defineComponent({
    props,
    async setup(props) {
      const args = () => listArgs(props.group)
      const inOrder = useQuery(sorted, args)
      useConnection(() => props.group)
      if (isNested) {
        const group = await useSuspense(groups.get, () => ({ id: props.group }))
        return () => itemsOf(group.value.tasks)
      }
      const list = await useSuspense(tasks.getList, args)
      return () => itemsOf(listing === 'Query' ? (inOrder.value ?? []) : list.value)
    },
  })
  const useLoadedList = (group: () => number) => {
    if (!isNested) return useDLE(tasks.getList, () => listArgs(group()))
    const { data, error } = useDLE(groups.get, () => ({ id: group() }))
    return { data: computed(() => data.value?.tasks), error }
  }
  const LoadedList = defineComponent({
    props,
    setup(props) {
      const args = () => listArgs(props.group)
      const inOrder = useQuery(sorted, args)
      useConnection(() => props.group)
      const { data, error } = useLoadedList(() => props.group)
      return () => {
        if (data.value === undefined) return error.value === undefined ? '…' : failed()
        return itemsOf(listing === 'Query' ? (inOrder.value ?? []) : data.value)
      }
    },
  })
  const Pages = defineComponent({
    props,
    setup(props) {
      useConnection(() => props.group)
      const { data, error, hasNext, fetchNext } = useInfinite(paged, () => listArgs(props.group), {
        next: nextPage,
      })
      return () => [
        error.value && failed(),
        data.value && itemsOf(data.value.results),
        hasNext.value && h('button', { onClick: fetchNext }, 'More'),
      ]
    },
  })
  const isLoaded = hook === 'useDLE everywhere'
  const ListOfTasks = isPages ? Pages : isLoaded ? LoadedList : List
  const LoadedDetail = defineComponent({
    props: { id: idType },
    setup(props) {
      const args = () => ({ id: props.id })
      useSubscription(connected?.get ?? tasks.get, () => (connected ? args() : null))
      const { data, error } = useDLE(tasks.get, args)
      return () => (data.value === undefined || isRefused(error.value) ? null : h('b', labelOf(data.value)))
    },
  })
  const Detail = defineComponent({
    props: { id: idType },
    async setup(props) {
      const useDetail = connected ? useLive : useSuspense
      const task = await useDetail(connected?.get ?? tasks.get, () => ({ id: props.id }))
      return () => h('b', labelOf(task.value))
    },
  })
  const place = shallowRef(first)
  const page = () => {
    const { group, isListed, selected } = place.value
    return h('main', [
      isListed && h(AsyncBoundary, null, { default: () => h(ListOfTasks, { group }), error: failed }),
      selected !== undefined &&
        h(
          AsyncBoundary,
          { key: selected },
          { default: () => h(isLoaded ? LoadedDetail : Detail, { id: selected }), error: () => [] },
        ),
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
