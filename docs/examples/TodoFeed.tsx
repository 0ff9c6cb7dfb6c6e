import { useInfinite } from '@selfsame/react'
import { useEffect, useRef } from 'react'
import { todoResource } from './api.js'

export function TodoFeed({ userId }: { userId: number }) {
  const { data, loading, error, hasNext, fetchNext } = useInfinite(
    todoResource.getList,
    { userId },
    { next: (todos) => ({ cursor: todos.at(-1)?.id }) },
  )
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchNext()
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [data, hasNext, error, fetchNext])

  if (loading) return <p>Loading…</p>
  return (
    <>
      <ul>
        {data?.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
      {error && <button onClick={fetchNext}>{error.message} Try again</button>}
      {hasNext && !error && <p ref={end}>Loading more…</p>}
    </>
  )
}
