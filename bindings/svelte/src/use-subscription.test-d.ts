import { RestEndpoint } from '@selfsame/core/rest'
import { expectTypeOf, test } from 'vitest'
import { useSubscription } from './index.js'

const get = new RestEndpoint({ path: '/price/:symbol', pollFrequency: 5000 })
const change = new RestEndpoint({ path: '/price/:symbol', method: 'PUT' })

test('takes the arguments of an endpoint that reads, and gives nothing', () => {
  expectTypeOf(useSubscription(get, { symbol: 'a' })).toEqualTypeOf<void>()
  useSubscription(get, null)
  // @ts-expect-error the path needs a symbol
  useSubscription(get)
  // @ts-expect-error a mutation is not polled
  useSubscription(change, { symbol: 'a' })
})
