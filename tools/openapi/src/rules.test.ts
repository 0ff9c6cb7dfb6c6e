import { expect, test } from 'vitest'
import { answer, generateFiles, generateRaw, generateSchemas, textOf } from './testing-generate.js'

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The lines of one class, interface or type. */
function partOf(code: string, name: string): string {
  const [part] = new RegExp(String.raw`export (class|interface|type|const) ${name}\b[\s\S]*?\n(\}|$)`).exec(
    code,
  ) ?? ['']
  return part
}

test.each<[string, object, string]>([
  ['id', object({ id: number, name: text }), 'id = 0'],
  ['id, not required', object({ id: number }), 'id = 0'],
  ['uuid', object({ uuid: text }, 'uuid'), 'return this.uuid'],
  ['_id', object({ _id: text }, '_id'), 'return this._id'],
  [
    'its own name',
    object({ thing_id: number, other_id: number }, 'thing_id', 'other_id'),
    'return this.thing_id',
  ],
  ['an odd name', object({ 'thing-id': text }, 'thing-id'), "return this['thing-id']"],
])('a primary key is found: %s', async (_, schema, expected) => {
  const code = await generateSchemas({ Thing: schema })
  expect(code).toContain('export class Thing extends Entity')
  expect(code).toContain(expected)
})

test.each<[string, object]>([
  ['no id', object({ name: text }, 'name')],
  ['an id that is an object', object({ id: object({ value: text }) })],
  ['an id that is a constant', object({ id: { const: 'x' } })],
  ['an id that is yes or no', object({ id: { type: 'boolean' } })],
  ['the id of something else', object({ other_id: number }, 'other_id')],
])('a plain object stays one: %s', async (_, schema) => {
  const code = await generateSchemas({ Thing: schema })
  expect(code).not.toContain('extends Entity')
})

test('a field has exactly the type that the description gives', async () => {
  const code = await generateSchemas({
    Thing: {
      ...object(
        {
          id: number,
          title: text,
          count: { type: 'number' },
          isDone: { type: 'boolean' },
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          tags: { type: 'array', items: text },
          byName: { type: 'object', additionalProperties: number },
          kind: { enum: ['a', 'b'] },
          only: { const: 'x' },
          note: { type: ['string', 'null'] },
          old: { type: 'string', nullable: true },
          mixed: { type: ['string', 'integer'] },
          free: {},
          pair: { type: 'array', prefixItems: [text, number], items: false },
          level: { type: 'integer', default: 3 },
          maybe: text,
          maybeNull: { type: ['string', 'null'] },
          maybeLevel: { type: 'integer', default: 2 },
          secret: { type: 'string', writeOnly: true },
          'odd-name': text,
        },
        ...'id title count isDone at day tags byName kind only note old mixed free pair level odd-name'.split(
          ' ',
        ),
      ),
    },
  })
  expect(partOf(code, 'Thing')).toBe(`export class Thing extends Entity {
  id = 0
  title = ''
  count = 0
  isDone = false
  at = new Date(0)
  day = ''
  tags: string[] = []
  byName: Record<string, number> = {}
  kind!: 'a' | 'b'
  only = 'x' as const
  note: string | null = null
  old: string | null = null
  mixed!: string | number
  free: unknown
  pair!: [string, number]
  level = 3
  maybe: string | undefined
  maybeNull: string | null | undefined
  maybeLevel = 2
  'odd-name' = ''

  static override key = 'Thing'
  static override schema = { at: Date }
}`)
})

test('records that refer to each other, and to themselves, are related after both are there', async () => {
  const code = await generateSchemas({
    Thing: object(
      { id: number, owner: ref('Owner'), parts: { type: 'array', items: ref('Thing') } },
      'id',
      'owner',
    ),
    Owner: object({ id: number, things: { type: 'array', items: ref('Thing') } }, 'id'),
  })
  expect(code).toContain('Thing.schema = { owner: Owner, parts: [Thing] }')
  expect(code.indexOf('Thing.schema =')).toBeGreaterThan(code.indexOf('class Owner'))
})

test('a tree of plain objects finds its records', async () => {
  const code = await generateSchemas({
    Node: object({ owner: ref('Owner'), children: { type: 'array', items: ref('Node') } }, 'children'),
    Owner: object({ id: number }, 'id'),
  })
  expect(code).toContain('Object.assign(nodeSchema, { children: [nodeSchema] })')
})

test.each<[string, object, string]>([
  ['text or a record', { oneOf: [text, ref('Owner')] }, 'owner: Owner | undefined'],
  ['a record or null', { oneOf: [ref('Owner'), { type: 'null' }] }, 'owner: Owner | null = null'],
  [
    'a record with more beside the reference',
    { allOf: [ref('Owner')], nullable: true },
    'owner: Owner | null = null',
  ],
])('a relation is found: %s', async (_, owner, expected) => {
  const code = await generateSchemas({
    Thing: object({ id: number, owner }, 'id', 'owner'),
    Owner: object({ id: number }, 'id'),
  })
  expect(code).toContain(expected)
  expect(code).toContain('static override schema = { owner: Owner }')
})

test('allOf of one schema is a subclass in its table, of several it is their fields', async () => {
  const code = await generateSchemas({
    Base: object({ id: number, name: text }, 'id'),
    More: { allOf: [ref('Base'), object({ extra: text }, 'extra', 'name')] },
    Other: object({ size: number }),
    Both: { allOf: [ref('Base'), ref('Other')] },
  })
  expect(partOf(code, 'More')).toContain("extends Base {\n  extra = ''\n  override name = ''\n")
  expect(partOf(code, 'More')).not.toContain('key')
  expect(partOf(code, 'Both')).toContain(
    'extends Entity {\n  id = 0\n  name: string | undefined\n  size: number | undefined',
  )
})

test('a discriminator makes a Union, by oneOf and by allOf', async () => {
  const code = await generateSchemas({
    Pet: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    Cat: object({ id: number, kind: text }, 'id', 'kind'),
    Dog: object({ id: number, kind: text }, 'id', 'kind'),
    Vehicle: {
      ...object({ id: number, wheels: text }, 'id', 'wheels'),
      discriminator: { propertyName: 'wheels' },
    },
    Car: { allOf: [ref('Vehicle'), object({ doors: number })] },
  })
  expect(code).toContain("export const petSchema = new schema.Union({ cat: Cat, dog: Dog }, 'kind')")
  expect(code).toContain("kind = 'cat' as const")
  expect(code).toContain("export const anyVehicle = new schema.Union({ Car }, 'wheels')")
  expect(code).toContain("override wheels = 'Car' as const")
})

test('names are made fit, and what was changed is said', async () => {
  const schemas = {
    Record: object({ id: number }),
    'user-account': object({ id: number, constructor: text, pk: text }, 'id', 'constructor', 'pk'),
    UserAccount: object({ id: number, other: text }),
    'Shop.Models.Größe': object({ id: number }),
    '2fa': object({ id: number }),
  }
  const paths = Object.keys(schemas).map((name, at) => [
    `/call${at}`,
    {
      get: {
        operationId: at === 0 ? 'delete' : `get ${name}!`,
        tags: ['Größe & Mehr'],
        responses: { 200: answer(ref(encodeURIComponent(name))) },
      },
    },
  ])
  const source = { openapi: '3.1.0', paths: Object.fromEntries(paths) as object, components: { schemas } }
  const { files, remarks } = await generateFiles(source)
  const code = files.map((file) => file.text).join('\n')
  for (const name of ['RecordModel', 'UserAccount', 'UserAccount2', 'Type2fa'])
    expect(code).toContain(`class ${name} `)
  expect(code).toContain('export const deleteCall = ')
  expect(remarks.filter(({ kind }) => kind === 'name').map(({ place }) => place)).toEqual(
    expect.arrayContaining([
      'Record',
      'UserAccount',
      'user-account.constructor',
      'user-account.pk',
      'GET /call0',
    ]),
  )
})

test('a field pk that is the primary key is read as id', async () => {
  const code = await generateSchemas({ Thing: object({ pk: number, name: text }, 'pk') })
  expect(code).toContain('const { pk: id, ...fields } = record')
  expect(code).toContain('return { ...fields, id }')
})

const resource = (item: string, methods: readonly string[], schema: object = ref('Thing')) => ({
  openapi: '3.0.3',
  paths: {
    '/things': {
      get: { tags: ['t'], responses: { 200: answer({ type: 'array', items: schema }) } },
      post: {
        tags: ['t'],
        requestBody: { content: { 'application/json': { schema } } },
        responses: { 201: answer(schema) },
      },
    },
    [`/things/{${item}}`]: Object.fromEntries(
      methods.map((method) => [
        method,
        {
          tags: ['t'],
          responses: method === 'delete' ? { 204: { description: '' } } : { 200: answer(schema) },
        },
      ]),
    ),
  },
  components: {
    schemas: { Thing: object({ id: { ...number, readOnly: true }, slug: text, title: text }, 'id', 'slug') },
  },
})

test.each([
  ['id', ':id'],
  ['thingId', ':id'],
  ['thing_id', ':id'],
  ['slug', ':slug'],
  ['other', ':other'],
])('the last param {%s} is %s', async (param, expected) => {
  const { files } = await generateFiles(resource(param, ['get', 'put']))
  expect(textOf(files, 't.ts')).toContain(`path: '/things/${expected}'`)
  expect(textOf(files, 't.ts').includes("indexes = ['slug']")).toBe(param === 'slug')
})

test('a resource has the members that the description has', async () => {
  const { files } = await generateFiles(resource('id', ['get', 'patch', 'delete']))
  const code = textOf(files, 't.ts')
  expect([...code.matchAll(/^ {2}(\w+): things\.(\w+)/gm)].map(([, name]) => name)).toEqual([
    'getList',
    'get',
    'create',
    'partialUpdate',
    'delete',
  ])
  expect(code).toContain('create: things.create.extend({ body: {} as ThingInput })')
  expect(partOf(code, 'ThingInput')).not.toContain('id')
})

test('a deletion that does not name the record is no member', async () => {
  const { files } = await generateFiles(resource('other', ['get', 'delete']))
  expect(textOf(files, 't.ts')).toContain(
    "export const deleteThingsByOther = new ApiEndpoint({ path: '/things/:other', method: 'DELETE' })",
  )
})

test('the id of something else has its name', async () => {
  const { files } = await generateFiles({
    openapi: '3.0.3',
    paths: {
      '/users/{id}/things/{id2}.json': { get: { tags: ['t'], responses: { 200: answer(text) } } },
      '/a:b/{x-y}': { get: { tags: ['t'], responses: { 200: answer(text) } } },
    },
  })
  expect(textOf(files, 't.ts')).toContain("path: '/users/:userId/things/:id2.json'")
  expect(textOf(files, 't.ts')).toContain("path: '/a\\\\:b/:xY'")
})

test('options correct what is guessed', async () => {
  const schemas = {
    Thing: object(
      {
        code: text,
        ownerId: number,
        tag_ids: { type: 'array', items: number },
        day: { type: 'string', format: 'date' },
      },
      'code',
      'ownerId',
      'tag_ids',
    ),
    Owner: object({ id: number }, 'id'),
    Tag: object({ id: number }, 'id'),
    Money: object({ id: text, amount: number }, 'id'),
  }
  const code = await generateSchemas(schemas, {
    entities: { Thing: { pk: 'code', key: 'Item', name: 'Article' }, Money: false },
    relations: { 'Thing.ownerId': 'Owner', 'Thing.tag_ids': 'Tag' },
    dates: ['date'],
    names: { 'GET /Money-call': 'getPrice' },
  })
  expect(partOf(code, 'Article')).toContain("static override key = 'Item'")
  expect(partOf(code, 'Article')).toContain("relate(record, { owner: 'ownerId', tags: 'tag_ids' })")
  expect(partOf(code, 'Article')).toContain(
    'static override schema = { day: Date, owner: Owner, tags: listOf(Tag) }',
  )
  expect(code).toContain('export interface Money')
  expect(code).toContain('export const getPrice')
})

test('only what the options name is written', () => {
  const source = resource('id', ['get'])
  expect(generateRaw(source, { paths: ['/other'] }).files.map(({ path }) => path)).toEqual([
    'base.ts',
    'index.ts',
  ])
  expect(generateRaw(source, { tags: ['t'] }).files.map(({ path }) => path)).toEqual([
    'base.ts',
    't.ts',
    'index.ts',
  ])
})

test.each([
  [
    ['page'],
    'page',
    'Pages by number: `page` counts them; the header `Link` tells whether there is a next one.',
  ],
  [
    ['offset', 'limit'],
    'offset',
    'Pages by offset: `offset` says how many members come before; the header `Link`',
  ],
  [['page_token'], 'page_token', 'Pages by cursor: `page_token` names one; the header `Link`'],
])('pages are recognized: %j', async (params, field, comment) => {
  const source = resource('id', ['get'])
  const list = source.paths['/things'] as { get: { parameters?: object; responses: { 200: object } } }
  list.get.parameters = params.map((name) => ({ name, in: 'query', schema: text }))
  Object.assign(list.get.responses[200], { headers: { Link: { schema: text } } })
  const { files } = await generateFiles(source)
  expect(textOf(files, 't.ts')).toContain(`paginationField: '${field}'`)
  expect(textOf(files, 't.ts')).toContain(comment)
})

test('a list in an object is expected, and where it is not required the report says so', async () => {
  const page = object(
    { data: { type: 'array', items: ref('Thing') }, next: { type: ['string', 'null'] } },
    'next',
  )
  const { files, remarks } = await generateFiles(resource('id', ['get'], ref('Thing')))
  expect(remarks.filter(({ kind }) => kind === 'left')).toEqual([])
  expect(textOf(files, 't.ts')).toContain('getList: things.getList,')
  const source = resource('id', ['get'])
  Object.assign(source.paths['/things'] as object, { get: { tags: ['t'], responses: { 200: answer(page) } } })
  const other = await generateFiles(source)
  expect(textOf(other.files, 't.ts')).toContain(
    'schema: { data: new schema.Collection([Thing]), next: typed<string | null>() }',
  )
  expect(other.remarks.filter(({ kind }) => kind === 'left').map(({ text: remark }) => remark)).toEqual([
    'is expected to have "data", although that is not required.',
  ])
})

test.each<[string, object]>([
  ['nullable', { nullable: true }],
  ['x-nullable', { 'x-nullable': true }],
  ['a type of 3.1', { type: ['object', 'null'] }],
])('a record that may be null is a record: %s', async (_, mayBeNull) => {
  const user = object({ id: number, name: text }, 'id', 'name')
  const schemas = {
    'simple-user': user,
    'nullable-simple-user': { ...user, ...mayBeNull },
    'nullable-team': { ...object({ id: number, title: text }, 'id'), ...mayBeNull },
  }
  const code = await generateSchemas({
    ...schemas,
    Issue: object(
      {
        id: number,
        author: ref('simple-user'),
        closedBy: ref('nullable-simple-user'),
        team: ref('nullable-team'),
      },
      'id',
      'author',
      'closedBy',
    ),
  })
  expect(partOf(code, 'Issue')).toBe(`export class Issue extends Entity {
  id = 0
  author!: SimpleUser
  closedBy: SimpleUser | null = null
  team: Team | null | undefined

  static override key = 'Issue'
  static override schema = { author: SimpleUser, closedBy: SimpleUser, team: Team }
}`)
  expect(partOf(code, 'Team')).toContain('extends Entity')
})

test('a schema that may be null keeps its name where another has the one without', async () => {
  const code = await generateSchemas({
    Team: object({ id: number }, 'id'),
    NullableTeam: { ...object({ id: number, title: text }, 'id'), nullable: true },
  })
  expect(code).toContain('export class NullableTeam extends Entity')
})
