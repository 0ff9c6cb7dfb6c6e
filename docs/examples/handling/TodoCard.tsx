// TodoCard.tsx
import { useDLE } from '@selfsame/react'
import { todoResource } from '../api.js'

export function TodoCard({ id }: { id: number }) {
  const { data, loading, error } = useDLE(todoResource.get, { id })
  if (loading) return <p>Loading…</p>
  return (
    <>
      {data && <h1>{data.title}</h1>}
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
