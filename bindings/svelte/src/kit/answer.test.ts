import { SelfsameError } from '@selfsame/core'
import { NetworkError } from '@selfsame/core/rest'
import { expect, test } from 'vitest'
import { answerOfLoad } from './answer.js'
import type { PrefetchOptions } from './answer.js'

const failed = (status?: number) => new NetworkError('failed', status === undefined ? {} : { status })
const url = new URL('http://page/todo?page=2')

test.each<[string, unknown, PrefetchOptions, ReturnType<typeof answerOfLoad>]>([
  ['a record that is missing', failed(404), {}, { status: 404, message: 'Not Found' }],
  [
    'an id that no call can have',
    new SelfsameError('path-param-unusable', 'no id'),
    {},
    { status: 404, message: 'Not Found' },
  ],
  ['a server that fails', failed(503), {}, undefined],
  [
    'one whose status is named',
    failed(503),
    { statuses: [503] },
    { status: 503, message: 'Service Unavailable' },
  ],
  ['one without a response', failed(), { statuses: [503] }, undefined],
  ['an error of the application', new Error('no'), { statuses: [500] }, undefined],
  [
    'a message',
    failed(500),
    { statuses: [500], message: (error) => `Try again (${(error as NetworkError).status}).` },
    { status: 500, message: 'Try again (500).' },
  ],
  ['a redirect', failed(401), { redirects: { 401: '/login' } }, { redirect: '/login' }],
  [
    'a redirect that keeps the address',
    failed(401),
    { redirects: { 401: (path) => `/login?to=${encodeURIComponent(path)}` } },
    { redirect: '/login?to=%2Ftodo%3Fpage%3D2' },
  ],
  [
    'the page that a status redirects to',
    failed(401),
    { redirects: { 401: '/todo?expired=1' } },
    { status: 401, message: 'Unauthorized' },
  ],
])('the answer of a page is chosen for %s', (_title, failure, options, answer) => {
  expect(answerOfLoad(failure, options, url)).toEqual(answer)
})
