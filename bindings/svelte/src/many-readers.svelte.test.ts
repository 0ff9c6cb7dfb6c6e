import {
  Issue,
  bareTitles,
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
import { Observer } from '@selfsame/core/bindings'
import { render } from '@testing-library/svelte'
import { flushSync } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { expect, onTestFinished, test, vi } from 'vitest'
import ManyRows from '../testing/ManyRows.svelte'
import { useCache, useDLE, useQuery, useSuspense } from './index.js'

// What Svelte does for 1,000 readers, beside what it does for as many components that read by a bare `createSubscriber`.

type UseTitle = (id: number) => () => string | undefined

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
  for (const [written, title] of writes) step(() => write(written, title))
  expectLastWrite()
  page?.unmount()
  return counted
}

function measureBare(): readonly number[] {
  const { read, subscribe, write } = bareTitles()
  const useTitle: UseTitle = (id) => {
    const follow = createSubscriber((update) => subscribe(id, update))
    return () => {
      follow()
      return read(id)
    }
  }
  return measure(useTitle, write)
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
    const write = issuesIn(controller, ids)
    const spies = (['subscribe', 'retain'] as const).map((name) => vi.spyOn(Observer.prototype, name))
    onTestFinished(() => void vi.restoreAllMocks())
    const readers = measure(useTitle, write, controller)
    // One that the component and its markup share. Of useDLE the component follows the state, and the markup its data.
    const subscriptions = name === 'useDLE' ? 2 * count : count
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([subscriptions, subscriptions])
    expectAsOften(readers, measureBare())
  },
)
