import {
  DataProvider,
  useController,
  useDLE,
  useInfinite,
  useLoading,
} from '@selfsame/react'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'
import { todoResource } from './todos.js'

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const { data, loading, error, hasNext, fetchNext } = useInfinite(
    todoResource.getList,
    { limit: 2 },
    { next: ({ next }) => next && { cursor: next } },
  )
  if (loading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return (
    <>
      <Rows todos={data.results} onOpen={onOpen} />
      {hasNext && <button onClick={fetchNext}>More</button>}
    </>
  )
}

function TodoDetails({ id }: { id: number }) {
  const controller = useController()
  const { data, loading, error } = useDLE(todoResource.get, { id })
  if (loading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  const toggle = () =>
    controller.fetch(todoResource.partialUpdate, { id }, { done: !data.done })
  return <Details todo={data} onToggle={toggle} />
}

function AddTodo() {
  const controller = useController()
  const { run: create, error } = useLoading((title: string) =>
    controller.fetch(todoResource.create, { title }),
  )
  return <AddForm onAdd={create} error={error} />
}

export function App() {
  const [id, setId] = useState<number>()
  return (
    <DataProvider>
      <AddTodo />
      <TodoList onOpen={setId} />
      {id !== undefined && <TodoDetails id={id} />}
    </DataProvider>
  )
}
