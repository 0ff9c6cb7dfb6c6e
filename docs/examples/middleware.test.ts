import { readFileSync } from 'node:fs'
import { Controller, Endpoint, Entity } from '@selfsame/core'
import { NetworkError } from '@selfsame/core/rest'
import { expect, test } from 'vitest'
import { renewSession } from './auth-refresh.js'
import { History } from './history.js'

class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

function createSession() {
  const session = { token: 'old', valid: 'new', renewals: 0, requests: 0 }
  const get = new Endpoint(
    async (id: number) => {
      session.requests++
      const { token } = session
      await Promise.resolve()
      if (token !== session.valid)
        throw new NetworkError('signed out', { status: 401 })
      return id
    },
    { name: 'get' },
  )
  const renew = async () => {
    session.renewals++
    await Promise.resolve()
    session.token = session.valid
  }
  return { session, get, renew }
}

test('a session is renewed once for all requests that fail together', async () => {
  const { session, get, renew } = createSession()
  const controller = new Controller({ middleware: [renewSession(renew)] })
  expect(
    await Promise.all([1, 2, 3].map((id) => controller.fetch(get, id))),
  ).toEqual([1, 2, 3])
  expect(session).toMatchObject({ renewals: 1, requests: 6 })
  session.valid = 'newer'
  expect(await controller.fetch(get, 4)).toBe(4)
  expect(session.renewals).toBe(2)
})

test('a session that cannot be renewed, or is refused again, is the error of the request', async () => {
  const { session, get } = createSession()
  const fails = new Controller({
    middleware: [renewSession(() => Promise.reject(new Error('no')))],
  })
  await expect(fails.fetch(get, 1)).rejects.toMatchObject({ status: 401 })
  const refused = new Controller({
    middleware: [renewSession(() => Promise.resolve())],
  })
  await expect(refused.fetch(get, 1)).rejects.toMatchObject({ status: 401 })
  expect(session.requests).toBe(3)
})

test('a history has the last actions, and tells of each', async () => {
  const history = new History(3)
  const controller = new Controller({ middleware: [history.middleware] })
  let told = 0
  history.subscribe(() => told++)
  const get = new Endpoint(() => Promise.resolve({ id: 5, title: 'a' }), {
    name: 'get',
    schema: Todo,
  })
  await controller.fetch(get)
  expect(() => controller.setResponse(get, {})).toThrow('primary key')
  controller.invalidate(get)
  expect(
    history.entries.map(({ action, error }) => [action.type, error?.name]),
  ).toEqual([
    ['response', undefined],
    ['setResponse', 'SelfsameError'],
    ['invalidate', undefined],
  ])
  expect(told).toBe(4)
})

test('the guide shows this very code', () => {
  const read = (path: string) =>
    readFileSync(new URL(path, import.meta.url), 'utf8')
  const guide = read('../middleware.md')
  for (const example of ['auth-refresh', 'history']) {
    expect(guide).toContain(read(`./${example}.ts`).trim())
  }
})
