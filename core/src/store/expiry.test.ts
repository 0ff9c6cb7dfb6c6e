import { describe, expect, test } from 'vitest'
import { statusOf } from './expiry.js'
import type { ExpiryFacts, ExpiryStatus } from './expiry.js'

const now = 1_000_000
const policies = ['stale-while-revalidate', 'cache-first', 'network-first'] as const

describe('statusOf (3)', () => {
  test.each<[ExpiryFacts['policy'], boolean, number, ExpiryStatus]>([
    ['stale-while-revalidate', false, now + 1, 'Valid'],
    ['stale-while-revalidate', false, now, 'Stale'],
    ['stale-while-revalidate', false, now - 1, 'Stale'],
    ['stale-while-revalidate', true, now + 1, 'Valid'],
    ['stale-while-revalidate', true, now, 'Invalid'],
    ['stale-while-revalidate', true, now - 1, 'Invalid'],
    ['cache-first', false, now + 1, 'Valid'],
    ['cache-first', false, now - 1, 'Valid'],
    ['cache-first', true, now + 1, 'Valid'],
    ['cache-first', true, now - 1, 'Invalid'],
    ['network-first', false, now + 1, 'Valid'],
    ['network-first', false, now, 'Invalid'],
    ['network-first', true, now - 1, 'Invalid'],
    ['stale-while-revalidate', false, Infinity, 'Valid'],
    ['stale-while-revalidate', false, -Infinity, 'Stale'],
    ['stale-while-revalidate', false, 0, 'Stale'],
  ])('with %s and invalidIfStale %s, expiring at %d, is %s', (policy, invalidIfStale, expiresAt, status) => {
    expect(statusOf({ isReadable: true, expiresAt, now, invalidIfStale, policy })).toBe(status)
  })

  test.each(policies)('is Invalid for data that cannot be read, with %s', (policy) => {
    for (const expiresAt of [now + 1, now - 1, Infinity]) {
      for (const invalidIfStale of [true, false]) {
        expect(statusOf({ isReadable: false, expiresAt, now, invalidIfStale, policy })).toBe('Invalid')
      }
    }
  })
})
