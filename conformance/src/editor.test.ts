import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'

// What an editor shows of an application: the type at a place, and each error where the mistake is.

const root = fileURLToPath(new URL('../..', import.meta.url))

const definitions = `
import { Controller, Endpoint, Entity, Query, schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { createMockController, defineMocks } from '@selfsame/core/testing'
import * as react from '@selfsame/react'
import * as svelte from '@selfsame/svelte'
import * as vue from '@selfsame/vue'

class User extends Entity {
  id = 0
  name = ''
  todos: Todo[] = []
}
class Todo extends Entity {
  id = 0
  title = ''
  owner: User | undefined
  static override schema = { owner: User }
}
User.schema = { todos: [Todo] }
class Misnamed extends Entity {
  id = 0
  static override schema = { tood: Todo }
}

const todos = createResource({ path: '/:group/todo/:id', schema: Todo, searchParams: { owner: 0, sort: 'date' } })
const users = createResource({ path: '/user/:id', schema: User })
const getPage = new RestEndpoint({
  path: '/page/:id',
  schema: { items: [Todo], next: '', meta: { total: 0, users: new schema.Values(User) } },
})
const getTime = new Endpoint(async ({ zone }: { zone: string }) => ({ seconds: zone.length }), { name: 'getTime' })
const count = new Query(new schema.All(Todo), (all, { isOpen }: { isOpen: boolean }) => ({ open: all.length, isOpen }))
const controller = new Controller()
void [optimistic, react, svelte, vue, Misnamed]
`

/** Results, and the type that a hover shows. */
const page = '{ items: Todo[]; next: string; meta: { total: number; users: { [key: string]: User; }; }; }'
const counted = '{ open: number; isOpen: boolean; } | undefined'
const results: readonly (readonly [expression: string, type: string])[] = [
  ['await controller.fetch(getPage, { id: 5 })', page],
  ['controller.read(getPage, { id: 5 }).data', `${page} | undefined`],
  ['controller.get({ item: Todo, next: "" })', '{ item: Todo; next: string; } | undefined'],
  ['await getPage({ id: 5 })', page],
  ['await controller.fetch(todos.create, { group: "a" }, { title: "" })', 'Todo'],
  ['await controller.fetch(todos.getList, { group: "a" })', 'Todo[]'],
  ['react.useSuspense(getPage, { id: 5 })', page],
  ['react.useCache(getPage, { id: 5 })', `${page} | undefined`],
  ['react.useDLE(getPage, { id: 5 }).data', `${page} | undefined`],
  ['react.useQuery(count, { isOpen: true })', counted],
  ['react.useSuspenseAll([[getPage, { id: 5 }]])[0]', page],
  ['svelte.useSuspense(getPage, { id: 5 }).current', page],
  ['svelte.useQuery(count, { isOpen: true }).current', counted],
  ['(await vue.useSuspense(getPage, { id: 5 })).value', page],
  ['vue.useCache(getPage, { id: 5 }).value', `${page} | undefined`],
]

/** Types of params, and what a hover shows. */
const todoParams = '{ readonly id: PathValue; readonly group: PathValue; }'
const params: readonly (readonly [type: string, shown: string])[] = [
  ['Parameters<typeof todos.get>', `[params: ${todoParams}]`],
  [
    'Parameters<typeof todos.getList>',
    '[params: { readonly group: PathValue; readonly owner?: number | undefined; readonly sort?: string | undefined; }]',
  ],
  [
    'Parameters<typeof todos.partialUpdate>',
    `[params: ${todoParams}, body: { readonly id?: number; readonly title?: string; readonly owner?: PathValue | BodyFields<User> | undefined; }]`,
  ],
  ['Parameters<typeof getPage.key>', '[params: { readonly id: PathValue; }]'],
]

/** Mistakes: the text that is underlined, and what is said of it. */
const notText = "Type 'number' is not assignable to type 'string'."
const missingImport = /^Property ''made by optimistic\(\) of @selfsame\/core\/optimistic'' is missing/
type Mistake = readonly [source: string, place: string, message: string | RegExp]

const fixtures: readonly Mistake[] = [
  ['{ endpoint: todos.get, args: [{ group: "a", id: 5 }], response: { id: 5, title: 7 } }', 'title', notText],
  ['{ endpoint: todos.getList, args: [{ group: "a" }], response: [{ id: 5, title: 7 }] }', 'title', notText],
  // The schema of `User` is assigned after the class.
  ['{ endpoint: users.get, args: [{ id: 5 }], response: { id: 5, name: 7 } }', 'name', notText],
  [
    '{ endpoint: users.get, args: [{ id: 5 }], response: { id: 5, todos: [6, { id: 7, title: 7 }] } }',
    'title',
    notText,
  ],
  [
    '{ endpoint: todos.get, args: [{ group: "a", id: 5 }], response: { id: 5, titel: "x" } }',
    'titel',
    /^Object literal .*'titel' does not exist .* Did you mean to write 'title'\?$/,
  ],
  [
    '{ endpoint: todos.get, args: [{ group: "a", ids: 5 }], response: { id: 5 } }',
    'ids',
    "Object literal may only specify known properties, and 'ids' does not exist in type '{ readonly id: PathValue; readonly group: PathValue; }'.",
  ],
  [
    '{ endpoint: getTime, args: [{ zone: "UTC" }], response: { minutes: 1 } }',
    'minutes',
    "Object literal may only specify known properties, and 'minutes' does not exist in type '{ seconds: number; }'.",
  ],
]

const interceptors: readonly Mistake[] = [
  ['{ endpoint: todos.get, response: ({ id }) => ({ id: Number(id), title: 7 }) }', 'title', notText],
  [
    '{ endpoint: todos.getList, response: () => ({ id: 5 }) }',
    '({ id: 5 })',
    /^Type '\{ id: number; \}' is not assignable to type 'readonly /,
  ],
  ['{ endpoint: getTime, response: () => ({ seconds: "1" }) }', 'seconds', /^Type 'string' is not/],
  [
    '{ endpoint: getTime, response: async () => ({ minutes: 1 }) }',
    '({ minutes: 1 })',
    /^Type 'Promise<\{ minutes: number; \}>' is not assignable/,
  ],
  [
    '{ endpoint: getTime, response: ({ zon }) => ({ seconds: zon }) }',
    'zon',
    /^Property 'zon' does not exist/,
  ],
]

const mistakes: readonly Mistake[] = [
  ...fixtures.flatMap(([mock, ...said]): Mistake[] => [
    [`createMockController({ fixtures: [${mock}] })`, ...said],
    [`defineMocks({ fixtures: [${mock}] })`, ...said],
    [`createMockController().addFixture(${mock})`, ...said],
  ]),
  ...interceptors.flatMap(([mock, ...said]): Mistake[] => [
    [`createMockController({ interceptors: [${mock}] })`, ...said],
    [`defineMocks({ interceptors: [${mock}] })`, ...said],
  ]),
  [
    'todos.partialUpdate.extend({ getOptimisticResponse: (_snapshot, params, body) => ({ ...params, ...body }) })',
    'getOptimisticResponse',
    missingImport,
  ],
  [
    'new Endpoint(async (id: number) => ({ id }), { schema: Todo, getOptimisticResponse: (_snapshot, id) => ({ id }) })',
    'getOptimisticResponse',
    missingImport,
  ],
  [
    'createResource({ path: "/todo/:id", schema: Todo, optimistic: true })',
    'optimistic',
    "Type 'boolean' is not assignable to type 'ImportedOptimistic'.",
  ],
  ['new RestEndpoint({ path: "/todo/:id", urlPrefx: "/api" })', 'urlPrefx', /mean to write 'urlPrefix'\?$/],
  ['todos.get.extend({ name: "get", pollFrequncy: 5 })', 'pollFrequncy', /mean to write 'pollFrequency'\?$/],
  [
    'createResource({ path: "/misnamed/:id", schema: Misnamed })',
    'schema',
    /'typeof Misnamed' .* type 'StaticSchemaNamesUndeclared<"tood">'/,
  ],
  [
    'controller.fetch(todos.get, { groop: "a", id: 5 })',
    'groop',
    /^Object literal .* 'groop' does not exist in type '\{ readonly id: PathValue; readonly group: PathValue; \}'/,
  ],
]

/** What compiles beside the mistakes. */
const right = `
void createMockController({
  ...defineMocks({
    fixtures: [{ endpoint: users.get, args: [{ id: 5 }], response: { id: 5, todos: [6, { id: 7 }] } }],
    interceptors: [
      { endpoint: todos.get, response: ({ id }) => ({ id: Number(id) }) },
      { testKey: (key: string) => key.startsWith('GET'), fetchResponse: () => new Response() },
    ],
  }),
  dataExpiryLength: 5,
})
`

const resultName = (index: number) => `result${index}`
const paramsName = (index: number) => `Params${index}`
const lines = [
  ...(definitions + right).split('\n'),
  ...results.map(([expression], index) => `export const ${resultName(index)} = ${expression}`),
  ...params.map(([type], index) => `export type ${paramsName(index)} = ${type}`),
  ...mistakes.map(([source]) => `void ${source}`),
]
const text = lines.join('\n')

const fileName = join(root, 'conformance/src/application.ts')
const config = ts.readConfigFile(join(root, 'tsconfig.tests.json'), (path) => ts.sys.readFile(path))
const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
const service = ts.createLanguageService({
  getScriptFileNames: () => [fileName],
  getScriptVersion: () => '',
  getScriptSnapshot: (path) =>
    ts.ScriptSnapshot.fromString(path === fileName ? text : readFileSync(path, 'utf8')),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === fileName || ts.sys.fileExists(path),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
})

/** What a hover over a name of the application shows, on one line. */
function hover(name: string): string {
  const info = service.getQuickInfoAtPosition(fileName, text.search(new RegExp(`\\b${name}\\b`)))
  return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, ' ')
}

/** The errors of each line of the application: the text that is underlined, and what is said of it. */
const errorsOf = new Map<string, [string, string][]>()

beforeAll(() => {
  for (const { file, start = 0, length = 0, messageText } of service.getSemanticDiagnostics(fileName)) {
    const line = lines[file?.getLineAndCharacterOfPosition(start).line ?? 0] ?? ''
    const error: [string, string] = [
      text.slice(start, start + length),
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    ]
    errorsOf.set(line, [...(errorsOf.get(line) ?? []), error])
  }
}, 240_000)

test('what is right has no error', () => {
  const wrong = new Set(mistakes.map(([source]) => `void ${source}`))
  expect([...errorsOf].filter(([line]) => !wrong.has(line))).toEqual([])
})

describe('a hover shows the fields', () => {
  test.each(results.map(([expression, type], index) => [expression, type, index] as const))(
    'of the result %s',
    (_, type, index) => {
      expect(hover(resultName(index))).toBe(`const ${resultName(index)}: ${type}`)
    },
  )

  test.each(params.map(([type, shown], index) => [type, shown, index] as const))(
    'of the params %s',
    (_, shown, index) => {
      expect(hover(paramsName(index))).toBe(`type ${paramsName(index)} = ${shown}`)
    },
  )
})

test.each(mistakes)('an error stands where the mistake is: %s', (source, place, message) => {
  const said = typeof message === 'string' ? message : (expect.stringMatching(message) as string)
  expect(errorsOf.get(`void ${source}`)).toEqual([[place, said]])
})
