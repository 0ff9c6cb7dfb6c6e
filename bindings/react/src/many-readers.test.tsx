import {
  Issue,
  atMost,
  bareTitles,
  count,
  expectLastWrite,
  getIssue,
  ids,
  issuesIn,
  writes,
} from '@selfsame/conformance/many-readers'
import type { Write } from '@selfsame/conformance/many-readers'
import { Controller } from '@selfsame/core'
import { useSyncExternalStore } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { actAlone, openPage } from '../test-app.js'
import { AsyncBoundary, DataProvider, useCache, useDLE, useQuery, useSelect, useSuspense } from './index.js'

// What React does for 1,000 readers, beside what it does for as many components that call useSyncExternalStore and nothing else.

/** A part of React's instance of a component. */
interface Fiber {
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly updateQueue: { readonly lastEffect?: Effect | null } | null
}

/** An effect of a render of a component, in a ring. React's own are among them: useSyncExternalStore has two. */
interface Effect {
  readonly tag: number
  readonly next: Effect
}

const runs = 1
const beforePaint = 4

/** What React has done since the last reset. */
const work = { renders: 0, effects: 0, layoutEffects: 0 }
const countRender = () => work.renders++

vi.hoisted(() => {
  // React's interface for its devtools, which it looks for when it is loaded.
  const hook = { isDisabled: false, supportsFiber: true, inject: () => 1, onCommitFiberUnmount: () => {} }
  Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
})
const seen = new WeakSet<Effect>()
Object.assign((globalThis as unknown as Record<string, object>)['__REACT_DEVTOOLS_GLOBAL_HOOK__']!, {
  onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => countEffects(root.current),
})

/** Counts the effects that are new in a commit and run. */
function countEffects(fiber: Fiber): void {
  const last = fiber.updateQueue?.lastEffect
  for (let effect = last?.next; effect && !seen.has(effect); effect = effect.next) {
    seen.add(effect)
    if ((effect.tag & runs) === 0) continue
    work.effects++
    if ((effect.tag & beforePaint) !== 0) work.layoutEffects++
  }
  if (fiber.child !== null) countEffects(fiber.child)
  if (fiber.sibling !== null) countEffects(fiber.sibling)
}

/** @returns what React does for a mount, for a write to one record, and for one to all */
async function measure(
  useTitle: (id: number) => string | undefined,
  write: Write,
  controller = new Controller(),
) {
  const Row = ({ id }: { readonly id: number }) => {
    countRender()
    return <i>{useTitle(id)}</i>
  }
  const counted: (typeof work)[] = []
  const step = async (act: () => unknown) => {
    Object.assign(work, { renders: 0, effects: 0, layoutEffects: 0 })
    await act()
    counted.push({ ...work })
  }
  await step(() =>
    openPage(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="…">
          {ids.map((id) => (
            <Row key={id} id={id} />
          ))}
        </AsyncBoundary>
      </DataProvider>,
    ),
  )
  for (const [written, title] of writes) await step(() => actAlone(() => write(written, title)))
  expectLastWrite()
  return { mount: counted[0]!, one: counted[1]!, all: counted[2]! }
}

function measureBare() {
  const { read, subscribe, write } = bareTitles()
  const subscribers = ids.map((id) => (listener: () => void) => subscribe(id, listener))
  return measure((id) => useSyncExternalStore(subscribers[id - 1]!, () => read(id)), write)
}

const titleOf = ({ title }: Issue) => title

/**
 * For each hook: the effects of a row that is mounted, and of one that is rendered for a change. Of these, one before paint compares
 * what is shown with what is there, and one after it subscribes. useDLE has a second subscription, of `fetching`, and an effect
 * that finds out whether the component has read it; useSelect compares its selector before paint too.
 */
const hooks: Readonly<
  Record<string, readonly [mounted: number, rendered: number, useTitle: (id: number) => string | undefined]>
> = {
  useCache: [2, 1, (id) => useCache(getIssue, { id })?.title],
  useQuery: [2, 1, (id) => useQuery(Issue, { id })?.title],
  useSuspense: [2, 1, (id) => useSuspense(getIssue, { id }).title],
  useDLE: [5, 2, (id) => useDLE(getIssue, { id }).data?.title],
  useSelect: [3, 2, (id) => useSelect(getIssue, titleOf, { id })],
}

beforeEach(() => {
  document.body.replaceChildren()
})

test.each(Object.entries(hooks))(
  '%s: 1,000 readers render, and compare before paint, as often as bare subscriptions do',
  async (name, [mounted, rendered, useTitle]) => {
    const controller = new Controller()
    const readers = await measure(useTitle, issuesIn(controller, ids), controller)
    document.body.replaceChildren()
    const bare = await measureBare()
    for (const step of ['mount', 'one', 'all'] as const) {
      const [{ renders, effects, layoutEffects }, limit] = [readers[step], bare[step]]
      expect(renders, `renders, ${step}`).toBeLessThanOrEqual(atMost(limit.renders))
      // React compares the snapshot of a bare subscription in an effect after paint.
      const comparisons = name === 'useSelect' ? layoutEffects / 2 : layoutEffects
      expect(comparisons, `effects before paint, ${step}`).toBeLessThanOrEqual(atMost(limit.effects))
      const each = step === 'mount' ? mounted : rendered
      const bareEach = step === 'mount' ? 2 : 1
      expect(effects - limit.effects, `effects, ${step}`).toBe((each - bareEach) * limit.renders)
    }
    expect([bare.mount.renders, bare.one.renders, bare.all.renders]).toEqual([count, 1, count])
  },
)
