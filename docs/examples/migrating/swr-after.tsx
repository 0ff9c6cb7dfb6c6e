import { Entity, schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import {
  DataProvider,
  useController,
  useDLE,
  useLoading,
  useSubscription,
} from '@selfsame/react'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

class Todo extends Entity {
  id = 0
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

const urlPrefix = 'https://api.example.com'
const todos = new schema.Collection([Todo])
const todoResource = createResource({
  urlPrefix,
  path: '/todo/:id',
  schema: FullTodo,
  optimistic,
}).extend(({ getList, create }) => ({
  getList: getList.extend({ schema: todos, pollFrequency: 10_000 }),
  create: create.extend({ schema: todos.unshift }),
}))

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  useSubscription(todoResource.getList)
  const { data, loading, error } = useDLE(todoResource.getList)
  if (loading) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>
  return <Rows todos={data} onOpen={onOpen} />
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
