import { Endpoint } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { useLive } from './index.js'

const get = new Endpoint(({ symbol }: { symbol: string }) => Promise.resolve({ symbol, amount: 0 }), {
  stream: (sink, { symbol }) => {
    sink.receive({ symbol, amount: 1 })
    return () => {}
  },
})
const change = new RestEndpoint({ path: '/price/:symbol', method: 'PUT' })
interface Price {
  symbol: string
  amount: number
}

test('gives the data of an endpoint that reads', () => {
  expectTypeOf(useLive(get, { symbol: 'a' })).toEqualTypeOf<Price>()
  expectTypeOf(useLive(get, null)).toEqualTypeOf<undefined>()
  const args = {} as { symbol: string } | null
  expectTypeOf(useLive(get, args)).toEqualTypeOf<Price | undefined>()
  // @ts-expect-error it needs a symbol
  useLive(get)
  // @ts-expect-error a symbol is text
  useLive(get, { symbol: 5 })
  // @ts-expect-error a mutation is not read
  useLive(change, { symbol: 'a' })
})
