import { NetworkError } from '@selfsame/core/rest'
import { expect, test } from 'vitest'
import { answerOf, defaultStatuses } from './answer.js'

const failed = (status?: number) => new NetworkError('failed', status === undefined ? {} : { status })
const answers = { statuses: defaultStatuses, redirects: { 401: '/login' } }

test.each([
  ['no failed call', [], undefined],
  ['a record that is missing', [failed(404)], { status: 404 }],
  ['a visitor who may not see it', [failed(403)], { status: 403 }],
  ['a visitor who is not signed in, where a redirect is configured', [failed(401)], { redirect: '/login' }],
  ['a server that is down', [failed(500), failed()], undefined],
  ['an error of the client', [Object.assign(new Error('no JSON'), { status: 404 })], undefined],
  ['the first of several that count', [failed(500), failed(410), failed(404)], { status: 410 }],
])('the answer of a page is chosen for %s', (_title, errors, answer) => {
  expect(answerOf(errors, answers, { path: '/todo', fullPath: '/todo?page=2' })).toEqual(answer)
})

test('the page that a status redirects to is not redirected to itself', () => {
  const login = { path: '/login', fullPath: '/login?to=%2F' }
  expect(answerOf([failed(401)], answers, login)).toEqual({ status: 401 })
  const expired = { ...answers, redirects: { 401: '/login?expired=1#form' } }
  expect(answerOf([failed(401)], expired, login)).toEqual({ status: 401 })
})

test('a redirect that is a function has the address that was opened', () => {
  const redirects = { 401: (path: string) => `/login?to=${encodeURIComponent(path)}` }
  const own = { ...answers, redirects }
  const route = { path: '/todo', fullPath: '/todo?page=2#last' }
  expect(answerOf([failed(401)], own, route)).toEqual({ redirect: '/login?to=%2Ftodo%3Fpage%3D2%23last' })
  const login = { path: '/login', fullPath: '/login?to=%2Ftodo' }
  expect(answerOf([failed(401)], own, login)).toEqual({ status: 401 })
})
