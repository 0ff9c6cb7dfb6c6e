import { expect, test } from 'vitest'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import { nameOf } from './requests.js'

test('a message names the request of an endpoint once', () => {
  expect(nameOf(new RestEndpoint({ path: '/price/:symbol' }))).toBe('GET /price/:symbol')
  expect(nameOf(new RestEndpoint({ path: '/login', method: 'POST', name: 'login' }))).toBe(
    'login (POST /login)',
  )
})
