import { nextTask } from '@selfsame/conformance/next-task'
import { describeUsedAtRandom } from '@selfsame/conformance/used-at-random'
import type { Place } from '@selfsame/conformance/used-at-random'
import { openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useDLE, useSuspense } from './index.js'

describeUsedAtRandom(async ({ controller, tasks, hook, areAlone, place }) => {
  const titles = {
    useSuspense: (id: number) => useSuspense(tasks.get, { id }).title,
    useDLE: (id: number) => useDLE(tasks.get, { id }).data?.title,
  }
  const Failed = () => <s />
  const Title = ({ id }: { readonly id: number }) => <i>{titles[hook](id)}</i>
  const List = ({ group }: { readonly group: number }) =>
    useSuspense(tasks.getList, { group }).map(({ id, title }) => (
      <li key={id}>
        <span>{title}</span>
        {areAlone ? (
          <AsyncBoundary fallback="…" errorFallback={Failed}>
            <Title id={id} />
          </AsyncBoundary>
        ) : (
          <Title id={id} />
        )}
      </li>
    ))
  const Detail = ({ id }: { readonly id: number }) => <b>{useSuspense(tasks.get, { id }).title}</b>
  const pageAt = ({ group, isListed, selected }: Place) => (
    <DataProvider controller={controller}>
      {isListed && (
        <AsyncBoundary fallback="…" errorFallback={Failed}>
          <List group={group} />
        </AsyncBoundary>
      )}
      {selected !== undefined && (
        <AsyncBoundary key={selected} fallback="…" errorFallback={() => null}>
          <Detail id={selected} />
        </AsyncBoundary>
      )}
    </DataProvider>
  )
  const { container, render, unmount } = await openPage(pageAt(place))
  return { screen: container, go: (next) => render(pageAt(next)), settle: () => settle(nextTask), unmount }
})
