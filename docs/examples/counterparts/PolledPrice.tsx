// PolledPrice.tsx
import { useDLE, useSubscription } from '@selfsame/react'
import { getPrice } from './live-api.js'

export function PolledPrice() {
  useSubscription(getPrice, { symbol: 'ABC' })
  const { data, error } = useDLE(getPrice, { symbol: 'ABC' })
  return <p>{data?.amount ?? error?.message ?? 'Loading…'}</p>
}
