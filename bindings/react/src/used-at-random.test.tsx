import { nextTask } from '@selfsame/conformance/next-task'
import { isRefused, labelOf, nextPage } from '@selfsame/conformance/task-app'
import { describeUsedAtRandom } from '@selfsame/conformance/used-at-random'
import type { Place, Task } from '@selfsame/conformance/task-app'
import { startTransition } from 'react'
import { openPage, settle } from '../test-app.js'
import {
  AsyncBoundary,
  DataProvider,
  useDLE,
  useInfinite,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from './index.js'

describeUsedAtRandom(
  async ({ controller, tasks, sorted, paged, connected, listing, hook, areAlone, isEarly, place }) => {
    const readers = {
      useSuspense: (id: number) => useSuspense(tasks.get, { id }),
      useDLE: (id: number) => useDLE(tasks.get, { id }).data,
      'useDLE everywhere': (id: number) => useDLE(tasks.get, { id }).data,
    }
    const Failed = () => <s />
    const Title = ({ id }: { readonly id: number }) => <i>{labelOf(readers[hook](id))}</i>
    const useList = (group: number) => {
      useSubscription(connected?.getList ?? tasks.getList, connected ? { group } : null)
      const list = useSuspense(tasks.getList, { group })
      const inOrder = useQuery(sorted, { group })
      return listing === 'Query' ? (inOrder ?? []) : list
    }
    const Item = ({ task }: { readonly task: Task }) => (
      <li>
        <span>{labelOf(task)}</span>
        {areAlone ? (
          <AsyncBoundary fallback="…" errorFallback={Failed}>
            <Title id={task.id} />
          </AsyncBoundary>
        ) : (
          <Title id={task.id} />
        )}
      </li>
    )
    const List = ({ group }: { readonly group: number }) =>
      useList(group).map((task) => <Item key={task.id} task={task} />)
    const LoadedList = ({ group }: { readonly group: number }) => {
      useSubscription(connected?.getList ?? tasks.getList, connected ? { group } : null)
      const { data, error } = useDLE(tasks.getList, { group })
      const inOrder = useQuery(sorted, { group })
      if (data === undefined) return error === undefined ? '…' : <Failed />
      return (listing === 'Query' ? (inOrder ?? []) : data).map((task) => <Item key={task.id} task={task} />)
    }
    const Pages = ({ group }: { readonly group: number }) => {
      const { data, error, hasNext, fetchNext } = useInfinite(paged, { group }, { next: nextPage })
      return (
        <>
          {error !== undefined && <Failed />}
          {data?.results.map((task) => (
            <Item key={task.id} task={task} />
          ))}
          {hasNext && <button onClick={() => void fetchNext()}>More</button>}
        </>
      )
    }
    const isLoaded = hook === 'useDLE everywhere'
    const ListOfTasks = listing === 'pages' ? Pages : isLoaded ? LoadedList : List
    const useDetail = connected ? useLive : useSuspense
    const LoadedDetail = ({ id }: { readonly id: number }) => {
      useSubscription(connected?.get ?? tasks.get, connected ? { id } : null)
      const { data, error } = useDLE(tasks.get, { id })
      return data === undefined || isRefused(error) ? null : <b>{labelOf(data)}</b>
    }
    const Detail = ({ id }: { readonly id: number }) => (
      <b>{labelOf(useDetail(connected?.get ?? tasks.get, { id }))}</b>
    )
    const pageAt = ({ group, isListed, selected }: Place) => (
      <DataProvider controller={controller}>
        {isListed && (
          <AsyncBoundary fallback="…" errorFallback={Failed}>
            <ListOfTasks group={group} />
          </AsyncBoundary>
        )}
        {selected !== undefined && (
          <AsyncBoundary key={selected} fallback="…" errorFallback={() => null}>
            {isLoaded ? <LoadedDetail id={selected} /> : <Detail id={selected} />}
          </AsyncBoundary>
        )}
      </DataProvider>
    )
    const { container, render, renderInTransition, unmount } = await openPage(pageAt(place))
    let visits = 0
    const go = (next: Place) => (visits++ % 2 === 0 ? render : renderInTransition)(pageAt(next))
    let changes = 0
    const perform = (change: () => void) => (changes++ % 2 === 0 ? change() : startTransition(change))
    return {
      screen: container,
      go,
      ...(isEarly && { perform }),
      settle: () => settle(nextTask),
      unmount,
    }
  },
)
