import { AsyncBoundary } from '@selfsame/react'
import type { ErrorFallbackProps } from '@selfsame/react'
import { useState } from 'react'
import { openDevtools } from './devtools'
import { TodoDetail } from './TodoDetail'
import { TodoForm } from './TodoForm'
import { TodoList } from './TodoList'

export function App() {
  const [selected, setSelected] = useState<string>()

  return (
    <main>
      <header>
        <h1>Todos</h1>
        <p>
          Selfsame with React.{' '}
          <a href="https://github.com/selfsame-data/selfsame/tree/main/docs#readme">Docs</a>
        </p>
        {openDevtools && <button onClick={openDevtools}>Open devtools</button>}
      </header>
      <TodoForm />
      <AsyncBoundary fallback={<p className="loading">Loading…</p>} errorFallback={Failed}>
        <TodoList selected={selected} onSelect={setSelected} />
        {selected !== undefined && (
          <TodoDetail key={selected} id={selected} onDelete={() => setSelected(undefined)} />
        )}
      </AsyncBoundary>
      <footer>
        <h2>Three things to try</h2>
        <p>Add a todo. It appears before the server responds.</p>
        <p>Open a todo and change its title. The list shows it too, without another request.</p>
        <p>
          Throw an error in <code>src/server.ts</code>, then save. What you typed stays.
        </p>
      </footer>
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
