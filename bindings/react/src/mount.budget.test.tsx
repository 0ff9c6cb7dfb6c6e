import { Issue, getIssue, issuesIn } from '@selfsame/conformance/many-readers'
import { Observer } from '@selfsame/core/bindings'
import { Controller } from '@selfsame/core'
import { expect, test, vi } from 'vitest'
import { openPage } from '../test-app.js'
import { AsyncBoundary, DataProvider, useCache, useDLE, useQuery, useSuspense } from './index.js'

/** A part of React's instance of a component. */
interface Fiber {
  readonly return: Fiber
  readonly memoizedState: Hook | null
}

interface Hook {
  readonly next: Hook | null
}

/** Counts the hooks of the component that rendered an element. */
function countHooks(element: Element): number {
  const [, fiber] = Object.entries(element).find(([name]) => name.startsWith('__reactFiber$')) ?? []
  let count = 0
  for (let hook = (fiber as Fiber).return.memoizedState; hook !== null; hook = hook.next) count++
  return count
}

// Each hook and each reading is a cost of every row of a list. useDLE has more: what its `fetching` and `refetch` need.
test.each([
  ['useCache', () => useCache(getIssue, { id: 1 })?.title, 4, 1],
  ['useQuery', () => useQuery(Issue, { id: 1 })?.title, 4, 1],
  ['useSuspense', () => useSuspense(getIssue, { id: 1 }).title, 4, 2],
  ['useDLE', () => useDLE(getIssue, { id: 1 }).data?.title, 11, 2],
])(
  'a row that reads its record by %s mounts with few hooks and readings',
  async (_name, useTitle, hooks, readings) => {
    const controller = new Controller()
    issuesIn(controller, [1])
    const spies = (['readCached', 'state', 'readOrFetch'] as const).map((name) =>
      vi.spyOn(Observer.prototype, name),
    )
    const Row = () => <i>{useTitle()}</i>
    const page = await openPage(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="…">
          <Row />
        </AsyncBoundary>
      </DataProvider>,
    )
    expect(page.text).toBe('One')
    const [row] = document.querySelectorAll('i')
    expect(row && countHooks(row)).toBe(hooks)
    expect(spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(readings)
    vi.restoreAllMocks()
  },
)
