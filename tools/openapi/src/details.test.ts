import { expect, test } from 'vitest'
import { answer, generateFiles, generateRaw, generateSchemas, textOf } from './testing-generate.js'
import { typeErrors } from './testing-types.js'

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const list = (items: object) => ({ type: 'array', items })

/** The list, and the reading and creating of one record. */
const resource = (path: string, schema: string, tag = 't') => ({
  [path]: {
    get: {
      tags: [tag],
      parameters: [{ name: 'state', in: 'query', schema: text }],
      responses: { 200: answer(list(ref(schema))) },
    },
    post: {
      tags: [tag],
      requestBody: json(ref(schema)),
      responses: { 201: answer(ref(schema)) },
    },
  },
  [`${path}/{id}`]: { get: { tags: [tag], responses: { 200: answer(ref(schema)), 404: answer(text) } } },
})
const shop = {
  openapi: '3.1.0',
  paths: {
    ...resource('/dishes', 'Dish'),
    ...resource('/admin/dishes', 'Dish'),
    ...resource('/orders', 'Order'),
    '/orders/{id}/items': {
      post: {
        operationId: 'addItem',
        tags: ['t'],
        requestBody: json(ref('Item')),
        responses: { 201: answer(ref('Item')) },
      },
    },
    '/numbers': { get: { operationId: 'getNumbers', tags: ['t'], responses: { 200: answer(list(number)) } } },
  },
  components: {
    schemas: {
      Dish: object({ id: number, name: text, status: text, createdAt: text }, 'id', 'status', 'createdAt'),
      Order: object({ id: number, items: list(ref('Item')) }, 'id', 'items'),
      Item: object({ id: number, count: number }, 'id'),
    },
  },
}
const typed = (name: string, files: readonly { readonly path: string; readonly text: string }[]) =>
  files.map(({ path, text: code }) => ({ path: `${name}/${path}`, text: code }))

test('readOnly and writeOnly of a schema with a name are true wherever it is referred to', async () => {
  const { files } = await generateFiles({
    openapi: '3.1.0',
    paths: {
      '/things': {
        post: { tags: ['t'], requestBody: json(ref('Thing')), responses: { 201: answer(ref('Thing')) } },
      },
    },
    components: {
      schemas: {
        Thing: object(
          { id: number, stamp: ref('Stamp'), wrapped: { allOf: [ref('Stamp')] }, secret: ref('Secret') },
          'id',
        ),
        Stamp: { type: 'string', readOnly: true },
        Secret: { type: 'string', writeOnly: true },
      },
    },
  })
  const code = textOf(files, 't.ts')
  expect(code).toContain(
    'class Thing extends Entity {\n  id = 0\n  stamp: string | undefined\n  wrapped: string | undefined\n\n',
  )
  expect(code).toContain('interface ThingInput {\n  id: number\n  secret?: string\n}')
})

test('a default of each type is that of the field; one that does not fit stands in the report', async () => {
  const schemas = {
    Thing: object(
      {
        id: number,
        at: { type: 'string', format: 'date-time', default: '2026-07-01T00:00:00Z' },
        tags: { ...list(text), default: ['a', 'b'] },
        shape: {
          ...object({ size: number, at: { type: 'string', format: 'date-time' } }),
          default: { size: 2, at: '2026-07-01T00:00:00Z' },
        },
        byName: { type: 'object', additionalProperties: number, default: { 'a-b': 1 } },
        status: { ...ref('Status'), default: 'open' },
        note: { type: ['string', 'null'], default: null },
        wrong: { type: 'integer', default: 'x' },
      },
      'id',
    ),
    Status: { enum: ['open', 'closed'] },
  }
  const code = await generateSchemas(schemas)
  expect(code).toContain(`  at = new Date('2026-07-01T00:00:00Z')
  tags: string[] = ['a', 'b']
  shape: { size?: number; at?: Date } = { size: 2, at: new Date('2026-07-01T00:00:00Z') }
  byName: Record<string, number> = { 'a-b': 1 }
  status: Status = 'open'
  note: string | null = null
  wrong: number | undefined`)
  const { remarks } = generateRaw({
    openapi: '3.1.0',
    paths: { '/x': { get: { responses: { 200: answer(ref('Thing')) } } } },
    components: { schemas },
  })
  expect(remarks.map(({ place, text: remark }) => `${place} ${remark}`)).toContain(
    'Thing.wrong has a default that is no value of its type: it is left out.',
  )
})

test('a field that each object has gets another name, and a record that lacks it does not bring the method', async () => {
  const code = await generateSchemas({
    Thing: object({ id: number, toString: text, valueOf: text }, 'id', 'toString'),
  })
  expect(code).toContain("toStringField = ''")
  expect(code).toContain("{ ['toString']: undefined, ['valueOf']: undefined, ...record }")
})

test('integers of 64 bits stand in the report', () => {
  const wide = { type: 'integer', format: 'int64' }
  const { remarks } = generateRaw({
    openapi: '3.1.0',
    paths: { '/x': { get: { responses: { 200: answer(ref('Thing')) } } } },
    components: {
      schemas: { Thing: object({ id: wide, size: wide, small: { type: 'integer', format: 'int32' } }) },
    },
  })
  expect(remarks.filter(({ place }) => place === 'int64').map(({ text: remark }) => remark)).toEqual([
    'is a number, which is exact up to 9,007,199,254,740,991. If there are larger ones, let the server send text: Thing.id, Thing.size.',
  ])
})

test('two resources of one table have endpoints of different names', async () => {
  const { files } = await generateFiles(shop)
  const code = textOf(files, 't.ts')
  expect(code.match(/^ {2}name: '.*/gm)).toEqual(["  name: 'adminDish',"])
})

test('the report says how a new record joins the list in the record above it', () => {
  const { remarks } = generateRaw(shop)
  expect(
    remarks.filter(({ place }) => place === 'POST /orders/{id}/items').map(({ text: remark }) => remark),
  ).toEqual([
    'adds to Order.items, which shows it when the record is fetched again. To add it at once, let a subclass of Order have `static override schema = { ...Order.schema, items: new schema.Collection([Item], { nestKey: (record) => ({ orderId: record.id }) }) }`, and extend addItem with the `push` of that Collection as its schema.',
  ])
})

test('a subclass makes a Collection of a relation, as the report says; the body of an error may be missing', () => {
  const { files } = generateRaw(shop)
  const own = `import { schema } from '@selfsame/core'
import { addItem, isError, Item, Order } from './shop/index.js'
const items = new schema.Collection([Item], { nestKey: (record: { id: number }) => ({ orderId: record.id }) })
export class OwnOrder extends Order { static override schema = { ...Order.schema, items } }
export const addOwnItem = addItem.extend({ schema: OwnOrder.schema.items.push })
export const read = (error: unknown) => {
  // @ts-expect-error an error that a server carried to the page has no body
  if (isError(error, 404)) return error.body.length
  return isError(error, 404) ? error.body?.length : 0
}\n`
  expect(typeErrors([...typed('shop', files), { path: 'own.ts', text: own }])).toEqual([])
})

test('options bring optimistic mutations, rules of lists, expiry and pages', async () => {
  const options = {
    optimistic: ['/dishes/{id}'],
    rules: { '/dishes/{id}': { orderBy: 'createdAt descending', filter: { state: 'status' } } },
    expiry: { Dish: 60_000, 'GET /numbers': 5000 },
    pagination: { 'GET /orders': 'state' },
  }
  const { files } = await generateFiles(shop, options)
  const code = textOf(files, 't.ts')
  for (const expected of [
    '  optimistic,\n',
    "  orderBy: order('createdAt', 'descending'),\n",
    'filter: rule<Dish>((record, params) => params.state === undefined || record.status === params.state)',
    'static override dataExpiryLength = 60000',
    'dataExpiryLength: 5000',
    "paginationField: 'state'",
  ])
    expect(code).toContain(expected)
  expect(code.match(/optimistic,/g)).toHaveLength(1)
  expect(typeErrors(typed('options', generateRaw(shop, options).files))).toEqual([])
  expect(() => generateRaw(shop, { pagination: { 'GET /other': 'page' } })).toThrow(
    'The options name "GET /other" in "pagination", which the description has not.',
  )
  expect(() => generateRaw(shop, { rules: { '/dishes/{id}': { orderBy: 'age' } } })).toThrow(
    'The options name "age" in the rules of /dishes/{id}, which is no field of its records.',
  )
})
