import { useInfinite } from '@selfsame/react'
import { useEffect, useRef } from 'react'
import { todoResource } from './api.js'

export function TodoFeed({ userId }: { userId: number }) {
  const { data, loading, error, hasNext, fetchNext } = useInfinite(
    todoResource.getList,
    { userId },
    { next: (todos) => ({ cursor: todos.at(-1)?.id }) },
  )
  if (loading) return <p>Loading…</p>
  return (
    <>
      <ul>
        {data?.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      {error && <button onClick={fetchNext}>{error.message} Try again</button>}
      {hasNext && !error && <End key={data?.length} onView={fetchNext} />}
    </>
  )
}

function End({ onView }: { onView: () => Promise<void> }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (line.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) void onView()
    })
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [onView])
  return <p ref={line}>Loading more…</p>
}
