import { schema } from '@selfsame/core'
import { GQLEndpoint, GQLEntity } from '@selfsame/core/graphql'
import { optimistic } from '@selfsame/core/optimistic'
import {
  DataProvider,
  useController,
  useDLE,
  useLoading,
  useSubscription,
} from '@selfsame/react'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

class Todo extends GQLEntity {
  title = ''
  done = false
  static override key = 'Todo'
}
class FullTodo extends Todo {
  notes = ''
  static override validate({ notes }: { notes?: string }) {
    return notes === undefined ? 'notes are missing' : undefined
  }
}

const gql = new GQLEndpoint('https://api.example.com/graphql')
const todos = new schema.Collection([Todo])
const getTodos = gql
  .query('query Todos { todos { id title done } }', { todos })
  .extend({ pollFrequency: 10_000 })
const getTodo = gql.query(
  (variables: { id: string }) =>
    'query Todo($id: ID!) { todo(id: $id) { id title done notes } }',
  { todo: FullTodo },
)
const createTodo = gql
  .mutation(
    (variables: { title: string }) =>
      `mutation CreateTodo($title: String!) {
        createTodo(title: $title) { id title done }
      }`,
    { createTodo: todos.unshift },
  )
  .extend({
    getOptimisticResponse: optimistic(
      ({ temporaryId }, { title }: { title: string }) => ({
        createTodo: { id: temporaryId, title, done: false },
      }),
    ),
  })
const setDone = gql.mutation(
  (variables: { id: string; done: boolean }) =>
    `mutation SetDone($id: ID!, $done: Boolean!) {
      setDone(id: $id, done: $done) { id title done }
    }`,
  { setDone: Todo },
)

function TodoList({ onOpen }: { onOpen: (id: string) => void }) {
  useSubscription(getTodos)
  const { data, loading, error } = useDLE(getTodos)
  if (loading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return <Rows todos={data.todos} onOpen={onOpen} />
}

function TodoDetails({ id }: { id: string }) {
  const controller = useController()
  const { data, loading, error } = useDLE(getTodo, { id })
  if (loading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  const { todo } = data
  return (
    <Details
      todo={todo}
      onToggle={() => controller.fetch(setDone, { id, done: !todo.done })}
    />
  )
}

function AddTodo() {
  const controller = useController()
  const { run: create, error } = useLoading((title: string) =>
    controller.fetch(createTodo, { title }),
  )
  return <AddForm onAdd={create} error={error} />
}

export function App() {
  const [id, setId] = useState<string>()
  return (
    <DataProvider>
      <AddTodo />
      <TodoList onOpen={setId} />
      {id !== undefined && <TodoDetails id={id} />}
    </DataProvider>
  )
}
