import { Controller, schema } from '@selfsame/core'
import { ManualClock } from '@selfsame/conformance/clock'
import { Todo, createApi, routeSamples, todoFields } from '@selfsame/conformance/fixtures'
import { describeListOfRows } from '@selfsame/conformance/list-of-rows'
import { Server } from '@selfsame/conformance/server'
import type { Api } from '@selfsame/conformance/fixtures'
import type { ListOfRows, RowHook } from '@selfsame/conformance/list-of-rows'
import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
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

type TodoCall = readonly [Api['todo']['get'], { readonly id: number }]

const Failed = ({ reset }: ErrorFallbackProps) => <button onClick={reset}>Try again</button>

const mount = async ({ api, controller, hook, areAlone, isFirstOnly, onRow }: ListOfRows) => {
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
  const useTodos =
    hook === 'useDLEAll at once'
      ? (calls: readonly TodoCall[]) => useDLEAll(calls).data
      : (calls: readonly TodoCall[]) => useSuspenseAll(calls)
  const Rows = ({ ids }: { readonly ids: readonly number[] }) => {
    const all = useTodos(ids.map((id) => [api.todo.get, { id }]))
    useLayoutEffect(() => ids.forEach(onRow), [ids])
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
  const FirstRow = () => <Row id={Number(useSuspense(api.todo.getList)[0]?.id)} />
  const List = isFirstOnly ? FirstRow : hook.endsWith('at once') ? AllRows : RowByRow
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
}

describeListOfRows(mount)

// Between a commit and its effects, the subscriptions are still those of the render before.
test.each(['useSuspenseAll at once', 'useDLEAll at once'] as const)(
  'a row that is not read any more by %s is not fetched when another changes before the effects run',
  async (hook) => {
    const server = new Server(new ManualClock())
    routeSamples(server)
    const controller = new Controller()
    const api = createApi(server)
    const rows: number[] = []
    const onRow = (id: number) => {
      rows.push(id)
      if (rows.length === 3) controller.set(Todo, { id: 6 }, { title: 'Changed' })
    }
    const { texts } = await mount({ api, controller, hook, areAlone: true, onRow })
    await settle()
    server.requests.length = 0
    server.hold('GET /todo')
    controller.invalidate(api.todo.getList)
    await settle()
    controller.set(new schema.Delete(Todo), { id: 5 }, {})
    await settle()
    server.route('GET /todo', [todoFields(6)])
    server.release()
    await settle()
    await settle()
    expect(rows.slice(0, 3)).toEqual([5, 6, 6])
    expect(texts()).toEqual(['Changed'])
    expect(server.requests).toEqual(['GET /todo'])
  },
)
