import { describe, expect, test } from 'vitest'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../schema/entity.js'
import type { ExpiryPolicy } from '../schema/expiry-policy.js'
import type { ExpiryStatus } from '../store/expiry.js'
import { callsOf } from './calls.js'
import { Controller } from './controller.js'

const now = 1_000_000
const policies = ['stale-while-revalidate', 'cache-first', 'network-first'] as const

/** The status by the policy of the Controller, and by that of the endpoint. */
function statusOf(policy: ExpiryPolicy, invalidIfStale: boolean, isReadable: boolean, expiresAt: number) {
  const [own, other] = [new Controller({ policy }), new Controller()].map(callsOf)
  const status = own!.statusAt({ invalidIfStale }, isReadable, expiresAt, now)
  expect(other!.statusAt({ invalidIfStale, policy }, isReadable, expiresAt, now)).toBe(status)
  return status
}

describe('the status of a call (3)', () => {
  test.each<[ExpiryPolicy, boolean, number, ExpiryStatus]>([
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
    expect(statusOf(policy, invalidIfStale, true, expiresAt)).toBe(status)
  })

  test.each(policies)('is Invalid for data that cannot be read, with %s', (policy) => {
    for (const expiresAt of [now + 1, now - 1, Infinity]) {
      for (const invalidIfStale of [true, false]) {
        expect(statusOf(policy, invalidIfStale, false, expiresAt)).toBe('Invalid')
      }
    }
  })
})

test('a record that a mutation without a response made Stale is so at every length', async () => {
  class Todo extends Entity {
    id = 0
    title = ''
  }
  const getList = new Endpoint(async () => [{ id: 1 }], { name: 'getList', schema: [Todo] })
  const update = new Endpoint(async (_params: { id: number }) => null, {
    name: 'update',
    schema: Todo,
    sideEffect: true,
  })
  const get = new Endpoint(async ({ id }: { id: number }) => ({ id }), { name: 'get', schema: Todo })
  const controller = new Controller()
  await controller.fetch(getList)
  await controller.fetch(update, { id: 1 })
  for (const dataExpiryLength of [undefined, 60_000, Infinity]) {
    const { status } = controller.read(get.extend({ name: `get ${dataExpiryLength}`, dataExpiryLength }), {
      id: 1,
    })
    expect(status).toBe('Stale')
  }
})
