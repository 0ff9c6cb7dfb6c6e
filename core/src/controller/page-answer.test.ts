import { expect, test } from 'vitest'
import { Entity, SelfsameError } from '../index.js'
import { NetworkError, RestEndpoint } from '../rest.js'
import { GQLNetworkError } from '../graphql.js'
import { answerOf } from './page-answer.js'
import type { PageAnswer, PageAnswers } from './page-answer.js'

class Todo extends Entity {
  id = 0
}
const getTodo = new RestEndpoint({ path: '/todo/:id', schema: Todo })

const failed = (status?: number) => new NetworkError('failed', status === undefined ? {} : { status })
const refused = new GQLNetworkError('refused', {
  errors: [{ message: 'no' }],
  status: 403,
  response: new Response(),
  body: {},
})
const ofId = (id: unknown) => {
  try {
    return getTodo.key({ id: id as number })
  } catch (error) {
    return error
  }
}
const page = { path: '/todo', fullPath: '/todo?page=2#last' }
const login = { 401: '/login' }
const loginBack = { 401: (path: string) => `/login?to=${encodeURIComponent(path)}` }

test.each<
  [string, readonly unknown[], PageAnswers, PageAnswer | undefined, { path: string; fullPath: string }?]
>([
  ['no failed call', [], {}, undefined],
  ['a record that is missing', [failed(404)], {}, { status: 404 }],
  ['a visitor who may not see it', [failed(403)], {}, { status: 403 }],
  ['an id that no call can have', [ofId(Number.NaN)], {}, { status: 404 }],
  ['one of only dots', [ofId('..')], {}, { status: 404 }],
  ['an id that is not given', [ofId(undefined)], {}, undefined],
  [
    'an id that no call can have, where 404 redirects',
    [ofId({})],
    { redirects: { 404: '/' } },
    { redirect: '/' },
  ],
  ['a GraphQL server that refuses', [refused], {}, { status: 403 }],
  ['a server that is down', [failed(500), failed()], {}, undefined],
  ['a status that is named', [failed(503)], { statuses: [503] }, { status: 503 }],
  ['a status that is not', [failed(404)], { statuses: [503] }, undefined],
  ['a response that the client cannot use', [new SelfsameError('body-unexpected', 'no JSON')], {}, undefined],
  ['an error of other code', [Object.assign(new Error('no'), { status: 404 }), null, 'x'], {}, undefined],
  ['the first of several that count', [failed(500), failed(410), failed(404)], {}, { status: 410 }],
  ['a redirect', [failed(401)], { redirects: login }, { redirect: '/login' }],
  [
    'a redirect where no status counts',
    [failed(401)],
    { statuses: [], redirects: login },
    { redirect: '/login' },
  ],
  [
    'a redirect that keeps the address',
    [failed(401)],
    { redirects: loginBack },
    { redirect: '/login?to=%2Ftodo%3Fpage%3D2%23last' },
  ],
  [
    'the page that a status redirects to',
    [failed(401)],
    { redirects: { 401: '/login?expired=1#form' } },
    { status: 401 },
    { path: '/login', fullPath: '/login?to=%2F' },
  ],
  [
    'that page, by a function',
    [failed(401)],
    { redirects: loginBack },
    { status: 401 },
    { path: '/login', fullPath: '/login' },
  ],
])('the answer of a page is chosen for %s', (_title, failures, answers, answer, at = page) => {
  expect(answerOf(failures, answers, at)).toEqual(answer)
})
