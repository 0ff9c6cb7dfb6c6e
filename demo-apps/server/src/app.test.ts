import { describe, expect, test } from 'vitest'
import { useServer } from './test-server.js'

const send = useServer()

describe('errors', () => {
  test.each(['0', '-1', '1.5', 'abc', '2147483648', '%00', '__proto__'])(
    'answers 400 for the id %s',
    async (id) => {
      expect(await send(`GET /todo/${id}`)).toMatchObject({ status: 400, body: { error: 'bad-request' } })
    },
  )

  test('says what an id must be', async () => {
    const { body } = await send('GET /todo/abc')
    expect(body.message).toBe('The id "abc" of GET /todo/abc must be a whole number from 1 to 2147483647.')
  })

  test.each([
    ['{"title":', 'Unexpected end of JSON input.'],
    ['', 'It is empty.'],
  ])('answers 400 for the body %j, which is not JSON', async (source, reason) => {
    expect(await send('POST /todo', source)).toMatchObject({
      status: 400,
      body: { error: 'bad-request', message: `The body of POST /todo is not JSON: ${reason}` },
    })
  })

  test.each([[[]], [null], ['"text"'], [5]])(
    'answers 422 for the body %j, which is not an object',
    async (body) => {
      expect(await send('POST /todo', body)).toMatchObject({ status: 422, body: { fields: [{ field: '' }] } })
    },
  )

  test('names every wrong field of a body, unknown ones included', async () => {
    expect(await send('POST /todo', { userId: 'one', title: null, completd: true })).toMatchObject({
      status: 422,
      body: {
        error: 'invalid',
        fields: [
          { field: 'userId', message: 'must be a whole number from 1 to 2147483647' },
          { field: 'title', message: 'Invalid input: expected string, received null' },
          { field: 'completd', message: 'is not one of id, userId, title, completed' },
        ],
      },
    })
  })

  test('answers 422 for text the database cannot store', async () => {
    expect(await send('PATCH /todo/1', { title: 'a\0b' })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'title', message: 'must not contain a NUL character' }] },
    })
  })

  test('names every wrong query parameter, unknown ones included', async () => {
    expect(await send('GET /todo?limit=0&completed=yes&user=1')).toMatchObject({
      status: 400,
      body: {
        error: 'bad-request',
        fields: [
          { field: 'limit', message: 'must be a whole number from 1 to 10000' },
          { field: 'completed', message: 'must be true or false' },
          { field: 'user', message: 'is not one of limit, offset, userId, completed' },
        ],
      },
    })
  })

  test('answers 404 for an unknown route', async () => {
    expect(await send('GET /nothing')).toMatchObject({
      status: 404,
      body: { error: 'not-found', message: 'There is no route GET /nothing.' },
    })
  })

  test('answers 405 with the methods a path takes', async () => {
    const answer = await send('PUT /todo', {})
    expect(answer).toMatchObject({ status: 405, body: { error: 'method-not-allowed' } })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test('answers 413 for a body over a mebibyte', async () => {
    const answer = await send('POST /todo', { userId: 1, title: 'x'.repeat(2 ** 20) })
    expect(answer).toMatchObject({ status: 413, body: { error: 'too-large' } })
  })
})

describe('cross-origin requests', () => {
  test.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'http://[::1]:3000'])(
    'are open to %s',
    async (origin) => {
      const { headers } = await send('GET /todo/999', undefined, { Origin: origin })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toBe('Link')
    },
  )

  test.each(['https://example.com', 'http://localhost.example.com', 'null'])(
    'are closed to %s',
    async (origin) => {
      const { headers } = await send('GET /todo/1', undefined, { Origin: origin })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  test('may use every method and the Access-Token header', async () => {
    const { status, headers } = await send('OPTIONS /todo/1', undefined, {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'access-token,content-type',
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toMatch(/PUT.*DELETE.*PATCH/)
    expect(headers.get('access-control-allow-headers')).toBe('access-token,content-type')
  })
})

describe('/_knob', () => {
  test('fails the requests of a route until it is cleared', async () => {
    const setting = { route: 'GET /article/:id', status: 503 }
    expect(await send('POST /_knob', setting)).toMatchObject({ status: 201, body: setting })
    expect((await send('GET /_knob')).body).toEqual([setting])
    expect(await send('GET /article/1', undefined, { Origin: 'http://localhost:5173' })).toMatchObject({
      status: 503,
      body: {
        error: 'knob',
        message: 'The knob answers GET /article/:id with 503. DELETE /_knob ends that.',
      },
    })
    expect(await send('GET /article')).toMatchObject({ status: 200 })
    expect(await send('DELETE /_knob')).toMatchObject({ status: 204 })
    expect(await send('GET /article/1')).toMatchObject({ status: 200 })
  })

  test('lets a page of another origin read a failure', async () => {
    await send('POST /_knob', { route: '/todo', status: 500 })
    const { headers } = await send('GET /todo', undefined, { Origin: 'http://localhost:5173' })
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  })

  test('fails as many requests as it is told', async () => {
    await send('POST /_knob', { route: '/todo', status: 500, times: 1 })
    expect(await send('GET /todo')).toMatchObject({ status: 500 })
    expect(await send('GET /todo')).toMatchObject({ status: 200 })
  })

  test('slows a route, which then answers as ever', async () => {
    await send('POST /_knob', { route: 'GET /todo/:id', delayMs: 150 })
    const start = performance.now()
    expect(await send('GET /todo/1')).toMatchObject({ status: 200, body: { id: 1 } })
    expect(performance.now() - start).toBeGreaterThan(140)
  })

  test('clears one route', async () => {
    await send('POST /_knob', { route: '/todo', status: 500 })
    await send('POST /_knob', { route: '/user', status: 500 })
    expect(await send('DELETE /_knob?route=/todo')).toMatchObject({ status: 204 })
    expect((await send('GET /_knob')).body).toEqual([{ route: '/user', status: 500 }])
    expect(await send('DELETE /_knob?route=/todo')).toMatchObject({ status: 404 })
  })

  test.each([
    [{ route: 'article', status: 500 }, 'route'],
    [{ route: '/article/:id{[', status: 500 }, 'route'],
    [{ route: '/article', status: 200 }, 'status'],
    [{ route: '/article', delayMs: -1 }, 'delayMs'],
    [{ route: '/article', status: 500, times: 0 }, 'times'],
    [{ route: '/article' }, ''],
  ])('answers 422 for the setting %j', async (setting, field) => {
    expect(await send('POST /_knob', setting)).toMatchObject({ status: 422, body: { fields: [{ field }] } })
  })
})

test('/_requests lists the requests in order, without those to the controls', async () => {
  await send('GET /article?limit=1&author=1')
  await send('PATCH /todo/1', { completed: true })
  await send('GET /_knob')
  expect((await send('GET /_requests')).body).toEqual([
    { method: 'GET', path: '/article', query: { limit: '1', author: '1' } },
    { method: 'PATCH', path: '/todo/1', query: {} },
  ])
  expect(await send('DELETE /_requests')).toMatchObject({ status: 204 })
  expect((await send('GET /_requests')).body).toEqual([])
})

test('/_reset puts the seeded records back, clears the log and lets go of the knob', async () => {
  const { body: before } = await send('GET /todo')
  await send('DELETE /todo/1')
  await send('POST /todo', { userId: 1 })
  await send('POST /_knob', { route: '/todo', status: 500 })
  expect(await send('POST /_reset')).toMatchObject({ status: 204 })
  expect((await send('GET /_requests')).body).toEqual([])
  expect((await send('GET /todo')).body).toEqual(before)
  expect((await send('POST /todo', { userId: 1 })).body.id).toBe(91)
})
