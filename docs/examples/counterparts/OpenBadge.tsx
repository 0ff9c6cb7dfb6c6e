// OpenBadge.tsx
import { useQuery } from '@selfsame/react'
import { countOpen } from './queries.js'

export function OpenBadge() {
  const open = useQuery(countOpen)
  return <p>{open} open</p>
}
