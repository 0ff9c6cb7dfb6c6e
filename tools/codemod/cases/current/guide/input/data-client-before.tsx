import { AsyncBoundary, DataProvider, useController, useSuspense } from '@data-client/react'
import { useLoading } from '@data-client/hooks'
import { Collection, Entity, resource } from '@data-client/rest'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

class Todo extends Entity {
  id = 0
  title = ''
  done = false
  notes = ''

  static override key = 'Todo'
}

const todos = new Collection([Todo])
const todoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todo/:id',
  schema: Todo,
  optimistic: true,
}).extend(({ getList }) => ({ getList: getList.extend({ schema: todos }) }))

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const list = useSuspense(todoResource.getList)
  return <Rows todos={list} onOpen={onOpen} />
}

function TodoDetails({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id })
  const controller = useController()
  const toggle = () => controller.fetch(todoResource.partialUpdate, { id }, { done: !todo.done })
  return <Details todo={todo} onToggle={toggle} />
}

function AddTodo() {
  const controller = useController()
  const [create, , error] = useLoading(
    (title: string) => controller.fetch(todoResource.create, { title }),
    [controller],
  )
  return <AddForm onAdd={create} error={error} />
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
