import { describeListOfRows } from '@selfsame/conformance/list-of-rows'
import { useLayoutEffect } from 'react'
import { openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useDLE, useFetch, useSuspense, useSuspenseAll } from './index.js'
import type { ErrorFallbackProps } from './index.js'

const Failed = ({ reset }: ErrorFallbackProps) => <button onClick={reset}>Try again</button>

describeListOfRows(async ({ api, controller, hook, areAlone, onRow }) => {
  const titles = {
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
    return <i>{titles[hook](id)}</i>
  }
  const List = () =>
    useSuspense(api.todo.getList).map(({ id }) =>
      areAlone ? (
        <AsyncBoundary key={id} fallback="…">
          <Row id={Number(id)} />
        </AsyncBoundary>
      ) : (
        <Row key={id} id={Number(id)} />
      ),
    )
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
