// NumberedTodos.tsx
import { useLast, usePrefetch } from '@selfsame/react'
import { useState } from 'react'
import { todoResource } from '../api.js'

export function NumberedTodos() {
  const [page, setPage] = useState(1)
  const {
    data = [],
    loading,
    error,
    isLast,
  } = useLast(todoResource.getList, { page })
  const { onIntent } = usePrefetch(todoResource.getList, { page: page + 1 })
  return (
    <>
      {loading && <p>Loading…</p>}
      {error && <p role="alert">{error.message}</p>}
      <ul className={isLast ? 'dimmed' : ''}>
        {data.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <button disabled={page === 1} onClick={() => setPage(page - 1)}>
        Back
      </button>
      <button ref={onIntent} onClick={() => setPage(page + 1)}>
        Next
      </button>
    </>
  )
}
