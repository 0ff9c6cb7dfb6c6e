import { describePassedOn } from '@selfsame/conformance/passed-on'
import type { PassedOn } from '@selfsame/conformance/passed-on'
import type { Todo } from '@selfsame/conformance/fixtures'
import type { ReactNode } from 'react'
import { openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useSuspense, useSuspenseAll } from './index.js'
import type { ErrorFallbackProps } from './index.js'

interface ListProps {
  readonly page: PassedOn
  readonly todos: readonly Todo[]
}

const Failed = ({ reset }: ErrorFallbackProps) => <button onClick={reset}>Try again</button>

function AllAtOnce({ page: { api }, todos }: ListProps) {
  const all = useSuspenseAll(todos.map(({ id }) => [api.todo.get, { id }] as const))
  return all.map(({ id, title }) => <i key={id}>{title}</i>)
}

function Row({ page: { api }, id }: { readonly page: PassedOn; readonly id: Todo['id'] }) {
  return <i>{useSuspense(api.todo.get, { id }).title}</i>
}

function Receiver({ page, todos }: ListProps) {
  if (page.receiver === 'all at once') return <AllAtOnce page={page} todos={todos} />
  if (page.receiver === 'one by one') return todos.map(({ id }) => <Row key={id} page={page} id={id} />)
  return todos.map(({ id, title }) => <i key={id}>{title}</i>)
}

function Passing({ page, todos, depth }: ListProps & { readonly depth: number }): ReactNode {
  if (depth === 0) return <Receiver page={page} todos={todos} />
  return (
    <AsyncBoundary fallback="…" {...(page.areCatching && { errorFallback: Failed })}>
      <Passing page={page} todos={todos} depth={depth - 1} />
    </AsyncBoundary>
  )
}

function List({ page }: { readonly page: PassedOn }) {
  const todos = useSuspense(page.api.todo.getList, { userId: page.userId })
  return <Passing page={page} todos={todos} depth={page.depth} />
}

describePassedOn(async (page) => {
  const toNode = (userId: number) => (
    <DataProvider controller={page.controller}>
      <AsyncBoundary fallback="…" errorFallback={Failed}>
        <List page={{ ...page, userId }} />
      </AsyncBoundary>
    </DataProvider>
  )
  const { container, render } = await openPage(toNode(page.userId))
  return { screen: container, go: (userId) => render(toNode(userId)), settle }
})
