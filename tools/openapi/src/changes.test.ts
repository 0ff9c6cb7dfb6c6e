import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from './cli.js'
import { answer } from './testing-generate.js'

// What the command says when it writes a description anew.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-changes-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const describe = (schemas: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: {
    '/todos': {
      post: {
        operationId: 'addTodo',
        tags: ['todos'],
        requestBody: { content: { 'application/json': { schema: ref('NewTodo') } } },
        responses: { 201: answer(ref('Todo')) },
      },
    },
    ...more,
  },
  components: { schemas },
})
const before = describe({
  Todo: object({ id: number, title: text, note: text, state: { enum: ['open', 'done'] } }, 'id', 'title'),
  NewTodo: object({ title: text, note: text }, 'title'),
})

/** Runs the command. @returns its exit code and what it says, without the names of files */
async function run(description: object, ...argv: readonly string[]) {
  writeFileSync(join(folder, 'api.json'), JSON.stringify(description))
  let output = ''
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk)
      return true
    }),
  )
  const code = await main([join(folder, 'api.json'), '--out', join(folder, 'out'), '--quiet', ...argv])
  for (const spy of spies) spy.mockRestore()
  return { code, output: output.replace(/^wrote .*\n/gm, '').replaceAll(/\S*\/out\//g, '') }
}
const file = () => join(folder, 'out/todos.ts')

test('the first run, and one without a change, say nothing', async () => {
  expect(await run(before)).toEqual({ code: 0, output: '' })
  expect(await run(before)).toEqual({ code: 0, output: '' })
})

test('what is added, removed and changed is said, that which may break code first', async () => {
  await run(before)
  const after = describe(
    {
      Todo: object(
        { id: number, title: text, state: { enum: ['open', 'done', 'late'] }, tag: text },
        'id',
        'title',
      ),
      NewTodo: object({ title: text, note: text, owner: number }, 'title', 'note', 'owner'),
      Label: object({ id: number }, 'id'),
    },
    {
      '/labels': {
        get: { operationId: 'findLabels', tags: ['todos'], responses: { 200: answer(ref('Label')) } },
      },
    },
  )
  expect((await run(after)).output).toBe(`
Changes that may break code:
  NewTodo.note is required now.
  Todo.note is removed.
  Todo.state is \`"open" | "done" | "late" | undefined\`, and was \`"open" | "done" | undefined\`.
  NewTodo.owner is added, and required where it is sent: number.

Other changes:
  Todo.tag is added: string | undefined.
  Label is added.
  findLabels is added.
`)
  expect((await run(before)).output).toContain('  findLabels is removed.\n')
})

test('a file that a person edited stays as it is, and the command says so', async () => {
  await run(before)
  const edited = readFileSync(file(), 'utf8').replace(
    'note: string | undefined',
    'note: string | null | undefined',
  )
  writeFileSync(file(), edited)
  const { code, output } = await run(
    describe({ ...before.components.schemas, Todo: object({ id: number }, 'id') }),
  )
  expect(code).toBe(1)
  expect(output).toContain(
    'todos.ts was edited, and stays as it is. Move your code to a file of your own, and run the command with --overwrite.',
  )
  expect(readFileSync(file(), 'utf8')).toContain('string | null | undefined')
  expect((await run(before, '--overwrite')).code).toBe(0)
  expect(readFileSync(file(), 'utf8')).not.toContain('string | null | undefined')
})

test('another formatting is no edit', async () => {
  await run(before)
  writeFileSync(
    file(),
    readFileSync(file(), 'utf8').replaceAll(';', '').replaceAll('"', "'").replaceAll('  ', '\t'),
  )
  expect((await run(before)).code).toBe(0)
})
