import { expectTypeOf, test } from 'vitest'
import { outbox } from '../outbox.js'
import type { Outbox } from '../outbox.js'
import { persist } from '../persist.js'
import { syncTabs } from '../tabs.js'

test('the id of a user may be a number, as in most entities', () => {
  const session: { readonly userId?: number } = {}
  const scope = () => session.userId
  for (const one of [outbox, persist, syncTabs]) one({ scope })
  outbox({ scope: () => 'ann' })
  // @ts-expect-error - a user has one id
  outbox({ scope: () => session })
  expectTypeOf<Parameters<Outbox['dropScope']>[0]>().toEqualTypeOf<string | number>()
})
