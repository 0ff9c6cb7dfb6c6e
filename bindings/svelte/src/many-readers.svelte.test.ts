import { Controller, Endpoint, Entity } from '@selfsame/core'
import { Observer } from '@selfsame/core/bindings'
import { render } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { expect, onTestFinished, test, vi } from 'vitest'
import ManyRows from '../testing/ManyRows.svelte'
import { useCache, useDLE, useQuery, useSuspense } from './index.js'

// What Svelte does for 1,000 readers, beside what it does for as many components that read by a bare `createSubscriber`.

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

type UseTitle = (id: number) => () => string | undefined
type Write = (ids: readonly number[], title: string) => void

/** @returns how often the texts of rows are evaluated for a mount, for a write to one record, and for one to all */
function measure(useTitle: UseTitle, write: Write, controller = new Controller()): readonly number[] {
  let evaluated = 0
  const counted: number[] = []
  const step = (act: () => void) => {
    evaluated = 0
    act()
    flushSync()
    counted.push(evaluated)
  }
  const onRead = () => evaluated++
  let page: ReturnType<typeof render> | undefined
  step(() => (page = render(ManyRows, { props: { controller, ids, useTitle, onRead } })))
  step(() => write([1], 'Two'))
  step(() => write(ids, 'Three'))
  const texts = [...document.querySelectorAll('i')].map(({ textContent }) => textContent)
  expect(texts).toEqual(ids.map(() => 'Three'))
  page?.unmount()
  return counted
}

function measureBare(): readonly number[] {
  const titles = new Map(ids.map((id) => [id, 'One']))
  const listeners = new Map<number, () => void>()
  const useTitle: UseTitle = (id) => {
    const follow = createSubscriber((update) => {
      listeners.set(id, update)
      return () => listeners.delete(id)
    })
    return () => {
      follow()
      return titles.get(id)
    }
  }
  return measure(useTitle, (written, title) => {
    for (const id of written) {
      titles.set(id, title)
      listeners.get(id)?.()
    }
  })
}

const hooks: Readonly<Record<string, UseTitle>> = {
  useCache(id) {
    const issue = useCache(getIssue, { id })
    return () => issue.current?.title
  },
  useQuery(id) {
    const issue = useQuery(Issue, { id })
    return () => issue.current?.title
  },
  useDLE(id) {
    const state = useDLE(getIssue, { id })
    return () => state.data?.title
  },
  useSuspense(id) {
    const issue = useSuspense(getIssue, { id })
    return () => issue.current.title
  },
}

test.each(Object.entries(hooks))(
  '%s: the texts of 1,000 readers are evaluated as often as with bare subscriptions',
  (name, useTitle) => {
    const controller = new Controller()
    for (const id of ids) controller.setResponse(getIssue, { id }, { id, title: 'One' })
    const write: Write = (written, title) =>
      controller.set(
        [Issue],
        {},
        written.map((id) => ({ id, title })),
      )
    const spies = (['subscribe', 'retain'] as const).map((name) => vi.spyOn(Observer.prototype, name))
    onTestFinished(() => void vi.restoreAllMocks())
    const readers = measure(useTitle, write, controller)
    // One that the component and its markup share. Of useDLE the component follows the state, and the markup its data.
    const subscriptions = name === 'useDLE' ? 2 * count : count
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([subscriptions, subscriptions])
    const bare = measureBare()
    expect(bare).toEqual([count, 1, count])
    readers.forEach((each, step) =>
      expect(each, `step ${step}`).toBeLessThanOrEqual(Math.floor(1.1 * bare[step]!)),
    )
  },
)
