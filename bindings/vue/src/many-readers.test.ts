import { mount } from '@vue/test-utils'
import {
  Issue,
  count,
  expectAsOften,
  expectLastWrite,
  getIssue,
  ids,
  issuesIn,
  writes,
} from '@selfsame/conformance/many-readers'
import type { Write } from '@selfsame/conformance/many-readers'
import { Controller } from '@selfsame/core'
import { Suspense, computed, defineComponent, getCurrentInstance, h, onScopeDispose, shallowRef } from 'vue'
import type { EffectScope, Ref } from 'vue'
import { afterEach, expect, test } from 'vitest'
import { settle } from '../test-support.js'
import { dataPlugin, useCache, useDLE, useQuery, useSuspense } from './index.js'

// What Vue does for 1,000 readers, beside what it does for as many components that read a ref which a subscription writes.

type Read = () => string | undefined

let renders = 0
let close = () => {}
afterEach(() => close())

/** @returns what Vue does for a mount, for a write to one record, and for one to all */
async function measure(
  setup: (id: number) => Read | Promise<Read>,
  write: Write,
  controller = new Controller(),
) {
  const found: unknown[][] = []
  const Row = defineComponent({
    props: { id: { type: Number, required: true } },
    setup({ id }) {
      const { scope } = getCurrentInstance() as unknown as {
        readonly scope: EffectScope & { effects: unknown[] }
      }
      found.push(scope.effects)
      const rendering = (read: Read) => () => {
        renders++
        return h('i', read())
      }
      const read = setup(id)
      return read instanceof Promise ? (read.then(rendering) as never) : rendering(read)
    },
  })
  const rows = () =>
    h(
      'div',
      ids.map((id) => h(Row, { key: id, id })),
    )
  renders = 0
  const page = mount(
    { render: () => h(Suspense, null, { default: rows }) },
    {
      attachTo: document.body,
      global: { plugins: [[dataPlugin, { controller }]] },
    },
  )
  close = () => page.unmount()
  await settle()
  const counted = [renders]
  for (const [written, title] of writes) {
    renders = 0
    write(written, title)
    await settle()
    counted.push(renders)
  }
  expectLastWrite()
  // Of each component: its render and its watchers.
  const effects = found.reduce((sum, { length }) => sum + length, 0)
  page.unmount()
  close = () => {}
  return { renders: counted, effects }
}

function measureBare() {
  const titles = new Map<number, Ref<string>>()
  const setup = (id: number) => {
    const title = shallowRef('One')
    titles.set(id, title)
    onScopeDispose(() => titles.delete(id))
    const shown = computed(() => title.value)
    return () => shown.value
  }
  return measure(setup, (written, title) => {
    for (const id of written) titles.get(id)!.value = title
  })
}

const hooks: Readonly<Record<string, (id: number) => Read | Promise<Read>>> = {
  useCache(id) {
    const issue = useCache(getIssue, { id })
    return () => issue.value?.title
  },
  useQuery(id) {
    const issue = useQuery(Issue, { id })
    return () => issue.value?.title
  },
  useDLE(id) {
    const { data } = useDLE(getIssue, { id })
    return () => data.value?.title
  },
  async useSuspense(id) {
    const issue = await useSuspense(getIssue, { id })
    return () => issue.value.title
  },
}

test.each(Object.entries(hooks))(
  '%s: 1,000 readers render as often as bare subscriptions, with one watcher each',
  async (_, setup) => {
    const controller = new Controller()
    const readers = await measure(setup, issuesIn(controller, ids), controller)
    const bare = await measureBare()
    expectAsOften(readers.renders, bare.renders)
    // It follows the arguments, which a bare subscription does not have.
    expect(readers.effects - bare.effects).toBe(count)
  },
)
