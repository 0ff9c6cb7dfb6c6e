import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createServer, type DemoServer } from '../server.js'
import { sendTo, smallSizes } from '../test-server.js'

let server: DemoServer
const send = (route: string, body?: unknown) => sendTo(server.url, route, body)
const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47])

beforeAll(async () => {
  server = await createServer({ sizes: smallSizes })
})
beforeEach(async () => {
  await send('POST /_reset')
})
afterAll(() => server.close())

function upload(id: number, token: string, type = 'image/png', body: Uint8Array<ArrayBuffer> = picture) {
  const headers = { 'Content-Type': type, 'Access-Token': token }
  return fetch(`${server.url}/user/${id}/avatar`, { method: 'PUT', headers, body })
}

test('is drawn until the user uploads one, and then has another address for each', async () => {
  const { body: drawn } = await send('GET /user/7/avatar')
  expect(drawn).toEqual({ id: 7, src: `${server.url}/images/avatar-7.svg` })
  expect(await (await fetch(drawn.src)).text()).toMatch(/^<svg /)
  const first = await upload(7, 'user-7')
  expect(await first.json()).toEqual({ id: 7, src: `${server.url}/images/avatars/7/1` })
  await upload(7, 'user-7', 'image/webp')
  const { body: second } = await send('GET /user/7/avatar')
  expect(second.src).toBe(`${server.url}/images/avatars/7/2`)
  const shown = await fetch(second.src)
  expect(shown.headers.get('Content-Type')).toBe('image/webp')
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(picture)
  expect((await fetch(`${server.url}/images/avatars/7/1`)).status).toBe(404)
})

test('is changed by its user alone', async () => {
  const answer = await upload(7, 'user-8')
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ error: 'unauthorized' })
})

test('has to be a picture of at most 5 MiB, of a user who exists', async () => {
  const text = await upload(7, 'user-7', 'text/plain')
  expect([text.status, await text.json()]).toEqual([
    422,
    {
      error: 'invalid',
      message:
        'The type "text/plain" of the picture must be one of image/png, image/jpeg, image/webp, image/gif.',
      fields: [
        {
          field: 'Content-Type',
          message: 'must be one of image/png, image/jpeg, image/webp, image/gif',
        },
      ],
    },
  ])
  expect((await upload(7, 'user-7', 'image/png', new Uint8Array(5 * 2 ** 20 + 1))).status).toBe(413)
  expect((await send('GET /user/999/avatar')).status).toBe(404)
})

test('stays as it is when the upload is hung up on', async () => {
  const { hostname, port } = new URL(server.url)
  for (let round = 0; round < 5; round++) {
    const request = httpRequest({
      hostname,
      port,
      method: 'PUT',
      path: '/user/7/avatar',
      headers: { 'Content-Type': 'image/png', 'Access-Token': 'user-7', 'Content-Length': 600_000 },
    })
    request.on('error', () => {})
    await new Promise<void>((resolve) => request.write(new Uint8Array(20_000), () => resolve()))
    const closed = new Promise((resolve) => request.on('close', resolve))
    request.destroy()
    await closed
  }
  await delay(100)
  expect((await send('GET /user/7/avatar')).body.src).toMatch(/avatar-7\.svg$/)
})
