import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Controller } from '@selfsame/core'
import { NetworkError } from '@selfsame/core/rest'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WrittenFile } from './options.js'
import { answer, generateRaw } from './testing-generate.js'
import { typeErrors } from './testing-types.js'
import { startValidator } from './testing-validator.js'
import type { ValidatingServer } from './testing-validator.js'

// What is written of a description sends what a validator reads by the same description.

const text = { type: 'string' }
const number = { type: 'integer' }
const day = { type: 'string', format: 'date' }
const time = { type: 'string', format: 'date-time' }
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
})
const list = (items: object) => ({ type: 'array', items })
const range = object({ min: number, kind: text })
const json = (schema: object) => ({ 'application/json': { schema } })

const query = (name: string, schema: object, more: object = {}) => ({ name, in: 'query', schema, ...more })
const get = (operationId: string, parameters: object[], more: object = {}) => ({
  get: { operationId, tags: ['t'], parameters, responses: { 200: answer(object({})) }, ...more },
})
const post = (operationId: string, content: object, parameters: readonly object[] = []) => ({
  post: {
    operationId,
    tags: ['t'],
    parameters,
    requestBody: { required: true, content },
    responses: { 200: answer(object({})) },
  },
})

const source = {
  openapi: '3.0.3',
  info: { title: 'Wire', version: '1' },
  paths: {
    '/spread': get('spread', [query('range', range)]),
    '/flat': get('flat', [query('flat', range, { explode: false })]),
    '/deep': get('deep', [query('deep', range, { style: 'deepObject', explode: true })]),
    '/as-json': get('asJsonParam', [{ name: 'filter', in: 'query', content: json(range) }]),
    '/lists': get('lists', [
      query('each', list(number)),
      query('commas', list(text), { explode: false }),
      query('spaces', list(text), { style: 'spaceDelimited', explode: false }),
      query('pipes', list(text), { style: 'pipeDelimited', explode: false }),
    ]),
    '/dates': get('dates', [query('day', day), query('days', list(day)), query('at', time)]),
    '/items/{ids}': get('items', [{ name: 'ids', in: 'path', required: true, schema: list(number) }]),
    '/headers': get('headers', [
      { name: 'X-Tenant', in: 'header', required: true, schema: text },
      { name: 'X-Tags', in: 'header', style: 'simple', schema: list(number) },
      { name: 'X-Since', in: 'header', schema: day },
      { name: 'X-Page', in: 'header', style: 'simple', explode: true, schema: object({ size: number }) },
      query('page', number),
    ]),
    '/cookies': get('cookies', [{ name: 'visit', in: 'cookie', schema: text }]),
    '/body': post(
      'sendDates',
      json(
        object(
          {
            day,
            at: time,
            trips: list(object({ day })),
            byName: { type: 'object', additionalProperties: time },
          },
          'day',
          'at',
        ),
      ),
    ),
    '/patch/{id}': {
      patch: {
        ...post('merge', { 'application/merge-patch+json': { schema: object({ title: text }, 'title') } })
          .post,
        parameters: [{ name: 'id', in: 'path', required: true, schema: number }],
      },
    },
    '/xml': post('sendXml', { 'application/xml': { schema: text } }),
    '/file': post('sendFile', {
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    }),
    '/form': post('sendForm', {
      'application/x-www-form-urlencoded': {
        schema: object({ title: text, day, tags: list(text), flat: list(text) }, 'title', 'day'),
        encoding: { flat: { style: 'form', explode: false } },
      },
    }),
    '/multipart': post('sendParts', {
      'multipart/form-data': {
        schema: object(
          {
            title: text,
            day,
            at: time,
            photo: { type: 'string', format: 'binary' },
            meta: object({ width: number }),
          },
          'title',
          'day',
          'at',
          'photo',
        ),
        encoding: { photo: { contentType: 'image/png' }, meta: { contentType: 'application/vnd.meta+json' } },
      },
    }),
    '/read-by-get': get('readByGet', [], { requestBody: { content: json(object({ q: text })) } }),
    '/label/{id}': get('label', [{ name: 'id', in: 'path', required: true, style: 'label', schema: number }]),
    '/matrix/{id}': get('matrix', [
      { name: 'id', in: 'path', required: true, style: 'matrix', schema: number },
    ]),
  },
}

interface Described {
  paths: Record<string, { get: { parameters: { name?: string; schema?: object }[] } }>
}

const folder = join(import.meta.dirname, '../../../node_modules/.cache/openapi-wire')
const options = { dates: ['date-time', 'date'] }
const generated = generateRaw(source, options)
let server: ValidatingServer
let api: Record<string, never>
let controller: Controller

beforeAll(async () => {
  const described = structuredClone(source) as unknown as Described
  // The validator reads no objects in headers.
  const page = described.paths['/headers']?.get.parameters.find(({ name }) => name === 'X-Page')
  if (page !== undefined) page.schema = text
  server = await startValidator(described)
  api = await importFiles(
    'all',
    generated.files.map(({ path, text: code }) => ({
      path,
      text: code.replace("urlPrefix = ''", `urlPrefix = '${server.urlPrefix}'`),
    })),
  )
})
afterAll(() => server.close())

/** Writes files into a folder, and imports them. */
async function importFiles(name: string, files: readonly WrittenFile[]): Promise<Record<string, never>> {
  const own = join(folder, name)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  for (const { path, text: code } of files) writeFileSync(join(own, path), code)
  return (await import(/* @vite-ignore */ join(own, 'index.ts'))) as Record<string, never>
}

beforeEach(() => {
  server.requests.length = 0
  controller = new Controller()
})

/** Calls what was written. */
const call = (endpoint: unknown, ...args: readonly unknown[]) =>
  (controller.fetch as (...all: readonly unknown[]) => Promise<unknown>).call(controller, endpoint, ...args)

/** Calls what was written. @returns the request that the server read; or its words, if it refused */
async function send(name: string, ...args: readonly unknown[]) {
  await call(api[name], ...args).catch((error: unknown) => {
    throw error instanceof NetworkError ? new Error(JSON.stringify(error.body)) : error
  })
  const [request] = server.requests.slice(-1)
  return request!
}

test('what is written has strict types: lists in paths, dates and headers are params', () => {
  const calls = `import { asJsonParam, flat, headers, items, sendDates, spread } from './wire/index.js'
export const calls = [
  spread({ range: { min: 1, kind: 'x' } }), flat({ flat: { min: 1 } }), asJsonParam({ filter: { min: 1 } }),
  items({ ids: [1, 2] }), headers({ 'X-Tenant': 'a', 'X-Tags': [1], page: 2 }),
  sendDates({ day: new Date(0), at: '2026-07-01T00:00:00Z' }),
]\n`
  const files = generated.files.map(({ path, text: code }) => ({ path: `wire/${path}`, text: code }))
  expect(typeErrors([...files, { path: 'calls.ts', text: calls }])).toEqual([])
})

test.each<[string, unknown, string, unknown]>([
  ['spread', { range: { min: 1, kind: 'x' } }, '/spread?kind=x&min=1', { range: { min: 1, kind: 'x' } }],
  ['flat', { flat: { min: 1 } }, '/flat?flat=min,1', undefined],
  [
    'deep',
    { deep: { min: 1, kind: 'x' } },
    '/deep?deep%5Bkind%5D=x&deep%5Bmin%5D=1',
    { deep: { min: 1, kind: 'x' } },
  ],
  ['asJsonParam', { filter: { min: 1 } }, '/as-json?filter=%7B%22min%22%3A1%7D', { filter: { min: 1 } }],
  [
    'lists',
    { each: [1, 2], commas: ['a', 'b c'], spaces: ['a', 'b'], pipes: ['a', 'b'] },
    '/lists?commas=a,b%20c&each=1&each=2&pipes=a%7Cb&spaces=a%20b',
    { each: [1, 2], commas: ['a', 'b c'], spaces: ['a', 'b'], pipes: ['a', 'b'] },
  ],
  [
    'dates',
    { day: new Date('2026-07-01'), days: [new Date('2026-07-02')], at: new Date('2026-07-01T01:02:03Z') },
    '/dates?at=2026-07-01T01%3A02%3A03.000Z&day=2026-07-01&days=2026-07-02',
    undefined,
  ],
])('a search param is sent as it is described: %s', async (name, params, url, expected) => {
  const { url: sent, query: read } = await send(name, params)
  expect(sent).toBe(url)
  if (expected !== undefined) expect({ ...(read as object) }).toMatchObject(expected as object)
})

test('params of a path are lists, and have styles', async () => {
  expect(await send('items', { ids: [1, 2, 3] })).toMatchObject({ url: '/items/1%2C2%2C3' })
  const { files } = generated
  const code = files.find(({ path }) => path === 't.ts')?.text
  expect(code).toContain("path: '/matrix/;id=:id'")
  expect(code).toContain("path: '/label/.:id'")
})

test('headers that are params are sent, and are part of the key', async () => {
  const params = { 'X-Tenant': 'a b', 'X-Tags': [1, 2], 'X-Since': new Date('2026-07-01'), page: 2 }
  const request = await send('headers', { ...params, 'X-Page': { size: 5 } })
  expect(request.url).toBe('/headers?page=2')
  expect(request.headers).toMatchObject({
    'x-tenant': 'a b',
    'x-tags': [1, 2],
    'x-since': '2026-07-01',
    'x-page': 'size=5',
  })
  expect((await send('headers', { 'X-Tenant': 'c' })).url).toBe('/headers')
  await expect(send('headers', { page: 2 })).rejects.toThrow('x-tenant')
  expect(server.requests).toHaveLength(2)
})

test('a day is sent without a time in JSON, a time with it', async () => {
  const at = new Date('2026-07-01T01:02:03Z')
  const { body } = await send('sendDates', {
    day: at,
    at,
    trips: [{ day: new Date('2026-07-02') }],
    byName: { first: at },
  })
  expect(JSON.stringify(body)).toContain('"trips":[{"day":"2026-07-02"')
})

test.each<[string, readonly unknown[], string, unknown]>([
  ['merge', [{ id: 5 }, { title: 'x' }], 'application/merge-patch+json', { title: 'x' }],
  ['sendXml', ['<a/>'], 'application/xml', '<a/>'],
  ['sendFile', [new Blob(['bytes'])], 'application/octet-stream', Buffer.from('bytes')],
  [
    'sendForm',
    [{ title: 'x', day: new Date('2026-07-01'), tags: ['a', 'b'], flat: ['c', 'd'] }],
    'application/x-www-form-urlencoded;charset=UTF-8',
    { title: 'x', day: '2026-07-01', tags: ['a', 'b'], flat: ['c,d'] },
  ],
])('a body has the content type that is described: %s', async (name, args, type, body) => {
  const request = await send(name, ...args)
  expect(request.headers['content-type']).toBe(type)
  expect(request.body).toMatchObject(body as object)
})

test('a part of a form has its content type, and a date no quotes', async () => {
  const { body, files } = await send('sendParts', {
    title: 'x',
    day: new Date('2026-07-01'),
    at: new Date('2026-07-01T01:02:03Z'),
    photo: new Blob(['bytes']),
    meta: { width: 3 },
  })
  expect(body).toEqual({
    title: 'x',
    day: '2026-07-01',
    at: '2026-07-01T01:02:03.000Z',
    photo: '',
    meta: { width: 3 },
  })
  expect(files).toEqual([{ fieldname: 'photo', mimetype: 'image/png', text: 'bytes' }])
})

test('what has a server of its own is sent there', async () => {
  const servers = await Promise.all(
    ['/plain', '/of-operation', '/of-path'].map(async (path) => {
      const paths = { [path]: get('read', [query('count', number)]) }
      return startValidator({ openapi: '3.0.3', info: { title: 'Server', version: '1' }, paths })
    }),
  )
  const [plain, ofOperation, ofPath] = servers.map(({ urlPrefix: url }) => [{ url }])
  const { files } = generateRaw({
    openapi: '3.0.3',
    servers: plain,
    paths: {
      '/plain': get('plain', [query('count', number)]),
      '/of-operation': get('ofOperation', [query('count', number)], { servers: ofOperation }),
      '/of-path': { ...get('ofPath', [query('count', number)]), servers: ofPath },
    },
  })
  const written = await importFiles('servers', files)
  for (const name of ['plain', 'ofOperation', 'ofPath']) await call(written[name], { count: 2 })
  expect(servers.map(({ requests }) => requests.map(({ url }) => url))).toEqual([
    ['/plain?count=2'],
    ['/of-operation?count=2'],
    ['/of-path?count=2'],
  ])
  for (const one of servers) one.close()
})

const strict = object({
  day,
  time,
  id: { type: 'string', format: 'uuid' },
  mail: { type: 'string', format: 'email' },
  small: { type: 'integer', format: 'int32' },
  text,
})

test.each<[string, object, unknown, number]>([
  ['3.0.3', strict, { text: 'x', day: '2026-07-01', time: '2026-07-01T01:02:03Z', small: 5 }, 200],
  ['3.0.3', strict, { text: 5 }, 400],
  ['3.0.3', strict, { day: '2026-07-01T01:02:03Z' }, 400],
  ['3.0.3', strict, { time: '2026-07-01' }, 400],
  ['3.0.3', strict, { id: '5' }, 400],
  ['3.0.3', strict, { mail: 'maja' }, 400],
  ['3.0.3', strict, { small: 3_000_000_000 }, 400],
  ['3.0.3', object({ a: text }), { a: null }, 400],
  ['3.0.3', object({ a: { type: 'string', nullable: true } }), { a: null }, 200],
  ['3.0.3', object({ a: { type: 'string', nullable: true } }), { a: 5 }, 400],
  ['3.1.0', object({ a: { type: ['string', 'null'] } }), { a: null }, 200],
  ['3.1.0', object({ a: { type: ['string', 'null'] } }), { a: 5 }, 400],
  ['3.1.0', object({ a: { type: ['string', 'integer'] } }), { a: 5 }, 200],
  ['3.1.0', object({ a: { type: ['string', 'integer'] } }), { a: true }, 400],
])('the validator is strict: %s %j reads %j with %i', async (openapi, schema, body, status) => {
  const { urlPrefix, close } = await startValidator({
    openapi,
    info: { title: 'Strict', version: '1' },
    paths: { '/x': post('send', json(schema)) },
  })
  const response = await fetch(`${urlPrefix}/x`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  close()
  expect(response.status).toBe(status)
})

test('lists of types, and null, are sent as they are', async () => {
  const description = {
    openapi: '3.1.0',
    info: { title: 'Types', version: '1' },
    paths: {
      '/x': post(
        'sendTypes',
        json(object({ note: { type: ['string', 'null'] }, size: { type: ['string', 'integer'] } }, 'note')),
      ),
    },
  }
  const { urlPrefix, requests, close } = await startValidator(description)
  const { files } = generateRaw(description, { urlPrefix })
  const { sendTypes } = await importFiles('types', files)
  for (const body of [
    { note: null, size: 5 },
    { note: 'x', size: 'large' },
  ])
    await call(sendTypes, body)
  close()
  expect(requests.map(({ body }) => body)).toEqual([
    { note: null, size: 5 },
    { note: 'x', size: 'large' },
  ])
})

test('what no code sends stands in the report', () => {
  const left = generated.remarks.filter(({ kind }) => kind === 'left')
  expect(left.map(({ place, text: remark }) => `${place} ${remark}`)).toEqual([
    'GET /cookies reads the cookie visit: browsers send it, and let no code write it.',
    'GET /read-by-get has a body, which no browser sends with GET.',
  ])
})
