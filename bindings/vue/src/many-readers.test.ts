import { mount } from '@vue/test-utils'
import { Controller, Endpoint, Entity } from '@selfsame/core'
import { Suspense, computed, defineComponent, getCurrentInstance, h, onScopeDispose, shallowRef } from 'vue'
import type { EffectScope, Ref } from 'vue'
import { afterEach, expect, test } from 'vitest'
import { settle } from '../test-support.js'
import { dataPlugin, useCache, useDLE, useQuery, useSuspense } from './index.js'

// What Vue does for 1,000 readers, beside what it does for as many components that read a ref which a subscription writes.

const count = 1000

class Issue extends Entity {
  id = 0
  title = ''
  static override key = 'Issue'
}

const getIssue = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, title: 'One' }), {
  name: 'getIssue',
  schema: Issue,
})

const ids = Array.from({ length: count }, (_, index) => index + 1)

type Read = () => string | undefined
type Write = (ids: readonly number[], title: string) => void

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
  for (const [written, title] of [
    [[1], 'Two'],
    [ids, 'Three'],
  ] as const) {
    renders = 0
    write(written, title)
    await settle()
    counted.push(renders)
  }
  expect([...page.element.querySelectorAll('i')].map(({ textContent }) => textContent)).toEqual(
    ids.map(() => 'Three'),
  )
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
    for (const id of ids) controller.setResponse(getIssue, { id }, { id, title: 'One' })
    const write: Write = (written, title) =>
      controller.set(
        [Issue],
        {},
        written.map((id) => ({ id, title })),
      )
    const readers = await measure(setup, write, controller)
    const bare = await measureBare()
    expect(bare.renders).toEqual([count, 1, count])
    readers.renders.forEach((each, step) =>
      expect(each, `step ${step}`).toBeLessThanOrEqual(Math.floor(1.1 * bare.renders[step]!)),
    )
    // It follows the arguments, which a bare subscription does not have.
    expect(readers.effects - bare.effects).toBe(count)
  },
)
