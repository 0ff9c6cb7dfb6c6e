import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useSuspense,
} from '@selfsame/react'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  notes = ''

  override pk() {
    return `${this.id}`
  }

  static override key = 'Todo'
}

const todoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
})

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const todos = useSuspense(todoResource.getList, {})
  return <Rows todos={todos} onOpen={onOpen} />
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
  const create = (title: string) =>
    controller.fetch(todoResource.create, {}, { title })
  return <AddForm onAdd={create} />
}

export function App() {
  const [id, setId] = useState<number>()
  return (
    <DataProvider>
      <AsyncBoundary fallback="Loading…">
        <AddTodo />
        <TodoList onOpen={setId} />
        {id !== undefined && <TodoDetails id={id} />}
      </AsyncBoundary>
    </DataProvider>
  )
}
