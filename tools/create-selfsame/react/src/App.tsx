import { AsyncBoundary } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { useState } from 'react'
import { TodoDetail } from './TodoDetail'
import { TodoForm } from './TodoForm'
import { TodoList } from './TodoList'

export function App() {
  const [selected, setSelected] = useState<string>()

  return (
    <main>
      <h1>Todos</h1>
      <TodoForm />
      <AsyncBoundary fallback={<p>Loading…</p>} errorFallback={Failed}>
        <TodoList selected={selected} onSelect={setSelected} />
        {selected !== undefined && (
          <TodoDetail key={selected} id={selected} onDelete={() => setSelected(undefined)} />
        )}
      </AsyncBoundary>
    </main>
  )
}

function Failed({ error, reset }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {error.message} <button onClick={reset}>Try again</button>
    </p>
  )
}
