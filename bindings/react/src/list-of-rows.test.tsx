import { describeListOfRows } from '@selfsame/conformance/list-of-rows'
import type { RowHook } from '@selfsame/conformance/list-of-rows'
import { useLayoutEffect } from 'react'
import { openPage, settle } from '../test-app.js'
import {
  AsyncBoundary,
  DataProvider,
  useDLE,
  useDLEAll,
  useFetch,
  useSuspense,
  useSuspenseAll,
} from './index.js'
import type { ErrorFallbackProps } from './index.js'

const Failed = ({ reset }: ErrorFallbackProps) => <button onClick={reset}>Try again</button>

describeListOfRows(async ({ api, controller, hook, areAlone, onRow }) => {
  const titles: Partial<Record<RowHook, (id: number) => string | undefined>> = {
    useSuspense: (id: number) => useSuspense(api.todo.get, { id }).title,
    useSuspenseAll: (id: number) => useSuspenseAll([[api.todo.get, { id }]])[0].title,
    useDLE: (id: number) => useDLE(api.todo.get, { id }).data?.title,
    useFetch(id: number) {
      useFetch(api.todo.get, { id })
      return useDLE(api.todo.get, { id }).data?.title
    },
  }
  const Row = ({ id }: { readonly id: number }) => {
    useLayoutEffect(() => onRow(id), [id])
    return <i>{titles[hook]?.(id)}</i>
  }
  const Rows = ({ ids }: { readonly ids: readonly number[] }) => {
    useLayoutEffect(() => ids.forEach(onRow), [ids])
    const calls = ids.map((id) => [api.todo.get, { id }] as const)
    const all = hook === 'useDLEAll at once' ? useDLEAll(calls).data : useSuspenseAll(calls)
    return all.map((todo, index) => <i key={ids[index]}>{todo?.title}</i>)
  }
  const AllRows = () => {
    const rows = <Rows ids={useSuspense(api.todo.getList).map(({ id }) => Number(id))} />
    return areAlone ? <AsyncBoundary fallback="…">{rows}</AsyncBoundary> : rows
  }
  const RowByRow = () =>
    useSuspense(api.todo.getList).map(({ id }) =>
      areAlone ? (
        <AsyncBoundary key={id} fallback="…">
          <Row id={Number(id)} />
        </AsyncBoundary>
      ) : (
        <Row key={id} id={Number(id)} />
      ),
    )
  const List = hook.endsWith('at once') ? AllRows : RowByRow
  const { container } = await openPage(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…" errorFallback={Failed}>
        <List />
      </AsyncBoundary>
    </DataProvider>,
  )
  return {
    texts: () => [...container.querySelectorAll('i')].map(({ textContent }) => textContent ?? ''),
    retry: () => container.querySelector('button')?.click(),
    settle,
  }
})
