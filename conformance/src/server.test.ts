import { expect, test } from 'vitest'
import { ManualClock } from './clock.js'
import { Server, baseUrl, reply } from './server.js'

function createServer() {
  const clock = new ManualClock()
  return { clock, server: new Server(clock) }
}

test('answers a route with its value as JSON and logs the request', async () => {
  const { server } = createServer()
  server.route('GET /todo/5', { id: 5 })
  const response = await server.fetch(`${baseUrl}/todo/5`)
  expect(response).toBeInstanceOf(Response)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ id: 5 })
  expect(server.requests).toEqual(['GET /todo/5'])
})

test('hands the request to a function', async () => {
  const { server } = createServer()
  server.route('PATCH /todo/5', ({ body }: { body: object }) => ({ id: 5, ...body }))
  const response = await server.fetch(`${baseUrl}/todo/5`, { method: 'PATCH', body: '{"title":"x"}' })
  expect(await response.json()).toEqual({ id: 5, title: 'x' })
})

test('sends a status with a body that can be read from a copy as well', async () => {
  const { server } = createServer()
  server.route('GET /todo/5', reply.status(404, { message: 'gone' }))
  const response = await server.fetch(`${baseUrl}/todo/5`)
  expect(response.status).toBe(404)
  expect(await response.clone().text()).toBe('{"message":"gone"}')
})

test('sends HTML with status 200, rejects without a network, and rejects with any value', async () => {
  const { server } = createServer()
  server.route('GET /page', reply.html('<p>'))
  server.route('GET /offline', reply.offline())
  server.route('odd', reply.rejection(null))
  const response = await server.fetch(`${baseUrl}/page`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html'])
  await expect(server.fetch(`${baseUrl}/offline`)).rejects.toThrow('Failed to fetch')
  await expect(server.call('odd')).rejects.toBeNull()
})

test('delivers a held answer, made when the request arrived, once it is released', async () => {
  const { server } = createServer()
  server.route('GET /todo/5', { version: 1 })
  server.hold('GET /todo/5')
  const first = server.fetch(`${baseUrl}/todo/5`)
  server.route('GET /todo/5', { version: 2 })
  const second = server.fetch(`${baseUrl}/todo/5`)
  expect(server.waiting).toBe(2)
  server.releaseOne('GET /todo/5', 'last')
  expect(await (await second).json()).toEqual({ version: 2 })
  server.release()
  expect(await (await first).json()).toEqual({ version: 1 })
  expect((await server.fetch(`${baseUrl}/todo/5`)).status).toBe(200)
})

test('delays an answer by the scenario’s clock', async () => {
  const { clock, server } = createServer()
  server.route('GET /slow', reply.delayed(100, { id: 1 }))
  const response = server.fetch(`${baseUrl}/slow`)
  await Promise.resolve()
  clock.advance(100)
  expect(await (await response).json()).toEqual({ id: 1 })
})

test('notes a request for which there is no route', async () => {
  const { server } = createServer()
  expect((await server.fetch(`${baseUrl}/todo/9`)).status).toBe(404)
  expect(server.unexpected).toEqual(['GET /todo/9'])
})

test('answers no more when it is asked without end', async () => {
  const { server } = createServer()
  server.route('again', 1)
  for (let request = 0; request < 200; request++) await server.call('again')
  let isAnswered = false
  void server.call('again').then(() => (isAnswered = true))
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(isAnswered).toBe(false)
})
