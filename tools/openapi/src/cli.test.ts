import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from './cli.js'

let folder: string
let output: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  output = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      output += String(text)
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const source = {
  openapi: '3.0.3',
  servers: [{ url: '/api' }],
  paths: {
    '/todos/{id}': {
      get: {
        tags: ['todos'],
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Todo' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Todo: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, title: { type: 'string' } },
      },
    },
  },
}

function writeSource(name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}
const out = () => join(folder, 'api')
const read = (name: string) => readFileSync(join(out(), name), 'utf8')

test('writes one file for each tag, the base and an index', async () => {
  const path = writeSource('todos.json', source)
  expect(await main([path, '--out', out()])).toBe(0)
  expect(readdirSync(out()).sort()).toEqual(['base.ts', 'index.ts', 'todos.ts'])
  expect(read('todos.ts')).toContain('export class Todo extends Entity')
  expect(read('todos.ts')).toMatch(/from todos\.json \([\da-f]{8}\)\. Do not edit/)
})

test('--single-file writes one, and removes those of an earlier run, but no other', async () => {
  const path = writeSource('todos.json', source)
  await main([path, '--out', out()])
  writeFileSync(join(out(), 'own.ts'), 'export {}\n')
  expect(await main([path, '--out', out(), '--single-file'])).toBe(0)
  expect(readdirSync(out()).sort()).toEqual(['api.ts', 'own.ts'])
})

test('--check fails for what is changed, missing or left over, and writes nothing', async () => {
  const path = writeSource('todos.json', source)
  expect(await main([path, '--out', out(), '--check'])).toBe(1)
  expect(existsSync(out())).toBe(false)
  await main([path, '--out', out()])
  expect(await main([path, '--out', out(), '--check'])).toBe(0)
  writeFileSync(join(out(), 'todos.ts'), read('todos.ts').replace('title', 'name'))
  writeFileSync(join(out(), 'old.ts'), read('index.ts'))
  output = ''
  expect(await main([path, '--out', out(), '--check'])).toBe(1)
  expect(output.replaceAll(/\S*\/api\//g, 'api/')).toBe(
    'api/todos.ts is not what the description gives.\napi/old.ts is not written any more.\nRun the command without --check.\n',
  )
})

test('the formatting is that of the folder', async () => {
  const path = writeSource('todos.json', source)
  await main([path, '--out', out()])
  expect(read('index.ts')).toContain('export * from "./base.js";')
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(
    join(other, '.prettierrc'),
    '{ "semi": false, "singleQuote": true, "plugins": ["not-installed"] }',
  )
  expect(await main([path, '--out', other])).toBe(0)
  expect(readFileSync(join(other, 'index.ts'), 'utf8')).toContain("export * from './base.js'\n")
})

test('parts in other files are brought together, and YAML is read', async () => {
  writeSource(
    'todo.yaml',
    'type: object\nrequired: [id]\nproperties: { id: { type: integer }, note: { type: string } }\n',
  )
  const path = writeSource(
    'api.yaml',
    `openapi: 3.1.0
info: { title: Todos, version: '1' }
paths:
  /todos:
    get:
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: './todo.yaml' } } } }
`,
  )
  expect(await main([path, '--out', out()])).toBe(0)
  expect(read('todos.ts')).toContain('note: string | undefined')
})

test('an address is read, and named without what may be secret', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(source)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  expect(await main([`http://user:secret@127.0.0.1:${port}/openapi.json?token=secret`, '--out', out()])).toBe(
    0,
  )
  server.close()
  expect(read('index.ts')).not.toContain('secret')
})

test('the report is shown, and written where it is asked for', async () => {
  const path = writeSource('todos.json', {
    ...source,
    components: {
      schemas: { Todo: { type: 'object', required: ['uuid'], properties: { uuid: { type: 'string' } } } },
    },
  })
  const report = join(folder, 'report.txt')
  expect(await main([path, '--out', out(), '--report', report])).toBe(0)
  expect(output).toContain('Todo is an entity with the primary key "uuid".')
  expect(readFileSync(report, 'utf8')).toContain('primary key "uuid"')
})

test.each<[string, (path: string) => readonly string[], RegExp]>([
  ['no folder', (path) => [path], /^Give one description, and a folder by --out/],
  ['an unknown option', (path) => [path, '--fast'], /^Unknown option '--fast'/],
  ['a file that is not there', () => ['no.json', '--out', 'x'], /no\.json/],
])('%s is explained', async (_, argv, expected) => {
  expect(await main(argv(writeSource('todos.json', source)))).toBe(1)
  expect(output).toMatch(expected)
})

test.each<[unknown, RegExp]>([
  ['{ "a": ', /is neither JSON nor YAML/],
  [{ hello: 1 }, /is no API description: it has neither "openapi" nor "swagger"/],
  [
    { ...source, components: {} },
    /The description has nothing at #\/components\/schemas\/Todo, but refers to it/,
  ],
])('the description %j is explained', async (value, expected) => {
  expect(await main([writeSource('bad.json', value), '--out', out()])).toBe(1)
  expect(output).toMatch(expected)
})

test.each<[string, RegExp]>([
  ['[]', /holds no object/],
  ['{ "entity": {} }', /has a member "entity", which is not known/],
  ['{ "entities": { "Tudo": false } }', /name the schema "Tudo", which no operation/],
  [
    '{ "entities": { "Todo": { "pk": "slug" } } }',
    /name "slug" as the primary key of Todo, which has no such field/,
  ],
  ['{ "relations": { "Todo.user": "User" } }', /a relation of Todo.user, which is no field/],
])('the option file %s is explained', async (text, expected) => {
  const options = writeSource('options.json', text)
  expect(await main([writeSource('todos.json', source), '--out', out(), '--options', options])).toBe(1)
  expect(output).toMatch(expected)
})
