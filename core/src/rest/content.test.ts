import { beforeEach, describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { NetworkError, RestEndpoint, createResource, resource } from '../rest.js'
import type { RestOptions } from '../rest.js'

class Todo extends Entity {
  id = 0
  static override key = 'Todo'
}

let sent: RequestInit[] = []
let answer = () => new Response(null)

class TestEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override fetchResponse(_url: string, init: RequestInit) {
    sent.push(init)
    return Promise.resolve(answer())
  }
}

const path = '/file'
const typed = (body: BodyInit | null, type: string) => () =>
  new Response(body, { headers: { 'content-type': type } })

beforeEach(() => {
  sent = []
})

describe('content', () => {
  test('text gives text, whatever its type', async () => {
    const endpoint = new TestEndpoint({ path, content: 'text' })
    for (const type of ['text/html', 'application/json', 'text/csv']) {
      answer = typed('{"a":1}', type)
      await expect(endpoint()).resolves.toBe('{"a":1}')
    }
    answer = typed('', 'text/plain')
    await expect(endpoint()).resolves.toBe('')
  })

  test('json parses whatever its type, and says so when it is none', async () => {
    const endpoint = new TestEndpoint({ path, content: 'json', name: 'File.get' })
    answer = typed('{"a":1}', 'text/plain')
    await expect(endpoint()).resolves.toEqual({ a: 1 })
    answer = typed('<p>', 'text/html')
    await expect(endpoint()).rejects.toMatchObject({ code: 'body-unexpected', status: 400 })
    await expect(endpoint()).rejects.toThrow(
      'File.get received text/html that is not valid JSON from GET /file.',
    )
  })

  test('blob gives a Blob of the type that the server sends', async () => {
    answer = typed(new Uint8Array([1, 2]), 'image/png')
    const blob = await new TestEndpoint({ path, content: 'blob' })()
    expect(blob).toBeInstanceOf(Blob)
    expect([blob.type, blob.size]).toEqual(['image/png', 2])
  })

  test('arrayBuffer gives the bytes', async () => {
    answer = typed(new Uint8Array([1, 2]), 'application/octet-stream')
    const bytes = await new TestEndpoint({ path, content: 'arrayBuffer' })()
    expect([...new Uint8Array(bytes)]).toEqual([1, 2])
  })

  test('stream gives the body as it comes', async () => {
    answer = typed('line 1\nline 2', 'text/event-stream')
    const stream = await new TestEndpoint({ path, content: 'stream' })()
    expect(stream).toBeInstanceOf(ReadableStream)
    await expect(new Response(stream).text()).resolves.toBe('line 1\nline 2')
  })

  test.each(['json', 'text', 'blob', 'arrayBuffer', 'stream'] as const)(
    '%s of an answer without a body is null (E8)',
    async (content) => {
      answer = () => new Response(null, { status: 204 })
      await expect(new TestEndpoint({ path, content })()).resolves.toBeNull()
      await expect(new TestEndpoint({ path, content, method: 'HEAD' })()).resolves.toBeNull()
    },
  )

  test.each(['json', 'text', 'blob', 'arrayBuffer'] as const)(
    '%s of a connection that breaks is an error of the network (E10)',
    async (content) => {
      const broken = new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) })
      answer = typed(broken, 'application/json')
      await expect(new TestEndpoint({ path, content })()).rejects.toBeInstanceOf(NetworkError)
    },
  )

  test('does not change what an error says', async () => {
    answer = () => Response.json({ why: 'gone' }, { status: 404 })
    await expect(new TestEndpoint({ path, content: 'blob' })()).rejects.toMatchObject({
      status: 404,
      body: { why: 'gone' },
    })
  })

  test('keeps two readers of one address apart', async () => {
    answer = typed('{"a":1}', 'application/json')
    const controller = new Controller()
    const asText = new TestEndpoint({ path, content: 'text' })
    const asData = asText.extend({ content: 'json' })
    const values = await Promise.all([controller.fetch(asText), controller.fetch(asData)])
    expect(values).toEqual(['{"a":1}', { a: 1 }])
    expect(sent).toHaveLength(2)
  })

  test('is an option of a resource, with parseResponse', async () => {
    answer = typed('{"id":5}', 'text/plain')
    const { get } = createResource({
      path: '/todo/:id',
      schema: Todo,
      Endpoint: TestEndpoint,
      content: 'json',
    })
    await expect(new Controller().fetch(get, { id: 5 })).resolves.toMatchObject({ id: 5 })
    const wrapped = resource({
      path: '/todo/:id',
      schema: Todo,
      Endpoint: TestEndpoint,
      parseResponse: async (response) => ((await response.json()) as { data: unknown }).data,
    })
    answer = () => Response.json({ data: { id: 6 } })
    await expect(new Controller().fetch(wrapped.get, { id: 6 })).resolves.toMatchObject({ id: 6 })
  })
})

describe('a body that is sent as it is (E7)', () => {
  const upload = new TestEndpoint({ path, method: 'POST' })
  const form = new FormData()
  form.append('file', new Blob(['a']), 'a.txt')

  test.each<[string, object | string]>([
    ['FormData', form],
    ['URLSearchParams', new URLSearchParams({ a: '1' })],
    ['a Blob', new Blob(['a'], { type: 'image/png' })],
    ['an ArrayBuffer', new ArrayBuffer(2)],
    ['bytes', new Uint8Array([1])],
    ['text', 'a=1'],
  ])('%s, without a content type of its own', async (_, body) => {
    await upload(body)
    expect(sent).toEqual([{ method: 'POST', headers: {}, body }])
    expect(sent[0]?.body).toBe(body)
  })

  test('a stream, with the duplex that the Fetch standard demands', async () => {
    const body = new ReadableStream()
    await upload(body)
    expect(sent).toEqual([{ method: 'POST', headers: {}, body, duplex: 'half' }])
    expect(() => new Request('https://a.example', sent[0])).not.toThrow()
  })
})

test('resource is the short name of createResource', () => {
  expect(resource).toBe(createResource)
})
