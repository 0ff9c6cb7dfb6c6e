import { Suspense, useState } from 'react'
import { CacheProvider } from 'rest-hooks'
import { TodoDetail } from './TodoDetail'
import { TodoList } from './TodoList'

export function App() {
  const [id, setId] = useState<number>()
  return (
    <CacheProvider>
      <Suspense fallback="Loading">
        <TodoList onOpen={(todo) => setId(todo.id)} />
        {id !== undefined && <TodoDetail id={id} />}
      </Suspense>
    </CacheProvider>
  )
}
