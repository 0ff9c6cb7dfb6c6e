import { Resource } from '@selfsame/core/legacy'
import { AsyncBoundary, DataProvider } from '@selfsame/react'
import { useFetcher, useResource } from '@selfsame/react/legacy'
import { useState } from 'react'
import { AddForm, Details, Rows } from './parts.js'

class Todo extends Resource {
  id = 0
  title = ''
  done = false
  notes = ''

  override pk() {
    return `${this.id}`
  }

  static override urlRoot = 'https://api.example.com/todo'
}

function TodoList({ onOpen }: { onOpen: (id: number) => void }) {
  const todos = useResource(Todo.listShape(), {})
  return <Rows todos={todos} onOpen={onOpen} />
}

function TodoDetails({ id }: { id: number }) {
  const todo = useResource(Todo.detailShape(), { id })
  const update = useFetcher(Todo.partialUpdateShape())
  const toggle = () => update({ id }, { done: !todo.done })
  return <Details todo={todo} onToggle={toggle} />
}

function AddTodo() {
  const create = useFetcher(Todo.createShape())
  return <AddForm onAdd={(title) => create({}, { title })} />
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
