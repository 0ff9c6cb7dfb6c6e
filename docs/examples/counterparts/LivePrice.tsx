// LivePrice.tsx
import { useLive } from '@selfsame/react'
import { getPrice } from './live-api.js'

export function LivePrice() {
  const price = useLive(getPrice, { symbol: 'ABC' })
  return <p>{price.amount}</p>
}
