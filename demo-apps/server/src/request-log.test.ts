import { expect, test } from 'vitest'
import { RequestLog } from './request-log.js'

test('keeps the last thousand requests', () => {
  const log = new RequestLog()
  for (let id = 1; id <= 1_001; id += 1) log.add({ method: 'GET', path: `/todo/${id}`, query: {} })
  expect(log.requests).toHaveLength(1_000)
  expect(log.requests[0]?.path).toBe('/todo/2')
})
