import { schema, Entity } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { resource } from '@selfsame/core/rest'
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useSuspense,
  useLoading,
} from '@selfsame/react'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

const ErrorText = ({ error }: { error: Error }) => <pre>{error.message}</pre>

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  notes = ''

  static override key = 'Todo'
}

const todos = new schema.Collection([Todo])
const todoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  optimistic,
}).extend(({ getList }) => ({ getList: getList.extend({ schema: todos }) }))

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const list = useSuspense(todoResource.getList)
  return <Rows todos={list} onOpen={onOpen} />
}

function TodoDetails({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  const controller = useController()
  const toggle = () =>
    controller.fetch(todoResource.partialUpdate, { id }, { done: !todo.done })
  return <Details todo={todo} onToggle={toggle} />
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
      <AsyncBoundary fallback="Loading…" errorFallback={ErrorText}>
        <AddTodo />
        <TodoList onOpen={setId} />
        {id !== undefined && <TodoDetails id={id} />}
      </AsyncBoundary>
    </DataProvider>
  )
}
