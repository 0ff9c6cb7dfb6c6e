import { nextTask } from '@selfsame/conformance/next-task'
import { isPaged, isRefused, labelOf, listArgs, nextPage } from '@selfsame/conformance/task-app'
import { describeUsedAtRandom } from '@selfsame/conformance/used-at-random'
import type { Place, Task } from '@selfsame/conformance/task-app'
import { startTransition } from 'react'
import type { ReactNode } from 'react'
import { openPage, settle } from '../test-app.js'
import {
  AsyncBoundary,
  DataProvider,
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

describeUsedAtRandom(
  async ({
    controller,
    tasks,
    groups,
    sorted,
    paged,
    connected,
    listing,
    hook,
    areAlone,
    isEarly,
    place,
  }) => {
    const useFetched = (id: number) => {
      useFetch(tasks.get, { id })
      return useCache(tasks.get, { id })
    }
    const useLoaded = (id: number) => useDLE(tasks.get, { id }).data
    const useTask =
      hook === 'useSuspense'
        ? (id: number) => useSuspense(tasks.get, { id })
        : hook === 'useFetch'
          ? useFetched
          : useLoaded
    const Failed = () => <s />
    const Alone = ({ children }: { readonly children: ReactNode }) =>
      areAlone ? (
        <AsyncBoundary fallback="…" errorFallback={Failed}>
          {children}
        </AsyncBoundary>
      ) : (
        children
      )
    const Title = ({ id }: { readonly id: number }) => <i>{labelOf(useTask(id))}</i>
    const Item = ({ task }: { readonly task: Task }) => (
      <li>
        <span>{labelOf(task)}</span>
        <Alone>
          <Title id={task.id} />
        </Alone>
      </li>
    )
    const useAll =
      hook === 'useDLEAll'
        ? (calls: readonly TaskCall[]) => useDLEAll(calls).data
        : (calls: readonly TaskCall[]) => useSuspenseAll(calls)
    const AllItems = ({ list }: { readonly list: readonly Task[] }) => {
      const all = useAll(list.map(({ id }) => [tasks.get, { id }] as const))
      return list.map((task, index) => (
        <li key={task.id}>
          <span>{labelOf(task)}</span>
          <i>{labelOf(all[index])}</i>
        </li>
      ))
    }
    type TaskCall = readonly [typeof tasks.get, { readonly id: number }]
    const Items = ({ list }: { readonly list: readonly Task[] }) =>
      hook === 'useSuspenseAll' || hook === 'useDLEAll' ? (
        <Alone>
          <AllItems list={list} />
        </Alone>
      ) : (
        list.map((task) => <Item key={task.id} task={task} />)
      )
    const isPages = isPaged({ listing })
    const useConnection = (group: number) => {
      useSubscription(
        connected?.getList ?? tasks.getList,
        connected && !isPages && listing !== 'nested' ? listArgs(group) : null,
      )
      useSubscription(connected?.paged ?? paged, connected && isPages ? listArgs(group) : null)
      useSubscription(
        connected?.getGroup ?? groups.get,
        connected && listing === 'nested' ? { id: group } : null,
      )
    }
    const useList =
      listing === 'nested'
        ? (group: number) => useSuspense(groups.get, { id: group }).tasks
        : (group: number) => useSuspense(tasks.getList, listArgs(group))
    const useLoadedList =
      listing === 'nested'
        ? (group: number) => {
            const { data, error } = useDLE(groups.get, { id: group })
            return { data: data?.tasks, error }
          }
        : (group: number) => useDLE(tasks.getList, listArgs(group))
    const List = ({ group }: { readonly group: number }) => {
      useConnection(group)
      const list = useList(group)
      const inOrder = useQuery(sorted, listArgs(group))
      return <Items list={listing === 'Query' ? (inOrder ?? []) : list} />
    }
    const LoadedList = ({ group }: { readonly group: number }) => {
      useConnection(group)
      const { data, error } = useLoadedList(group)
      const inOrder = useQuery(sorted, listArgs(group))
      if (data === undefined) return error === undefined ? '…' : <Failed />
      return <Items list={listing === 'Query' ? (inOrder ?? []) : data} />
    }
    const Pages = ({ group }: { readonly group: number }) => {
      useConnection(group)
      const { data, error, hasNext, fetchNext } = useInfinite(paged, listArgs(group), { next: nextPage })
      return (
        <>
          {error !== undefined && <Failed />}
          {data && <Items list={data.results} />}
          {hasNext && <button onClick={() => void fetchNext()}>More</button>}
        </>
      )
    }
    const isLoaded = hook === 'useDLE everywhere'
    const ListOfTasks = isPages ? Pages : isLoaded ? LoadedList : List
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
