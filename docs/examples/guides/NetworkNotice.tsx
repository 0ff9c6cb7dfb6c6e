// NetworkNotice.tsx
import { useDLE, useStatus } from '@selfsame/react'
import { todoResource } from '../api.js'

export function TodoWithNotice({ id }: { id: number }) {
  const { data } = useDLE(todoResource.get, { id })
  const { pausedOffline, stale } = useStatus(todoResource.get, { id })
  return (
    <>
      <h1>{data?.title}</h1>
      {pausedOffline && (
        <p role="status">
          Waits for the network{stale && data && ': this may be out of date'}
        </p>
      )}
    </>
  )
}
