import { describe, expect, test } from 'vitest'
import { adapter as floor } from './maintained/floor.mjs'
import { measureSteps, once, parts } from './maintained/measure.mjs'
import { maintainedAdapter, queryAdapter } from './maintained/selfsame.mjs'

// Each part checks that it shows what the hand-written list shows.
describe.each([
  ['maintained', maintainedAdapter],
  ['Query', queryAdapter],
  ['hand-written', floor],
])('%s', (_, adapter) => {
  test.each(parts)('shows the same: %s', async (part) => {
    const figures = await measureSteps(adapter, { size: 120, part, steps: once, limitMs: 5000 })
    expect(Object.keys(figures)).toEqual(part === 'readers' ? ['change'] : ['change', 'first', 'another'])
  })
})
