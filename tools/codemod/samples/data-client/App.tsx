import { useState } from 'react'
import { AsyncBoundary, DataProvider } from '@data-client/react'
import { TodoDetail } from './TodoDetail'
import { TodoList } from './TodoList'

export function App() {
  const [id, setId] = useState<number>()
  return (
    <DataProvider>
      <AsyncBoundary fallback="Loading">
        <TodoList onOpen={(todo) => setId(todo.id)} />
        {id !== undefined && <TodoDetail id={id} />}
      </AsyncBoundary>
    </DataProvider>
  )
}
