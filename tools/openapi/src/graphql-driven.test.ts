import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Controller } from '@selfsame/core'
import type { Entity } from '@selfsame/core'
import { GQLEndpoint } from '@selfsame/core/graphql'
import { buildSchema, graphql, parse } from 'graphql'
import type { GraphQLScalarType, GraphQLSchema } from 'graphql'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { generateGraphQL } from './generate-graphql.js'
import { typeErrors } from './testing-types.js'

// What is written of a schema reads what a server of the same schema answers, and types what that takes. The server is that of `graphql`.

const source = `
  scalar DateTime
  scalar Money
  scalar Point

  interface Node { id: ID! }
  type User implements Node { id: ID!, name: String! }
  type Photo implements Node { id: ID!, takenAt: DateTime!, by: User }
  type Advert { text: String!, until: DateTime!, by: User }
  union Item = Photo | Advert

  type Event implements Node {
    id: ID!
    dates: [DateTime!]!
    reminders: [DateTime]
    prices: [Money!]!
    track: [[Point!]!]
    items: [Item!]!
    hosts: [Node]
    guests(first: Int, after: String): UserConnection!
  }
  type UserConnection { edges: [UserEdge], nodes: [User], pageInfo: PageInfo!, totalCount: Int! }
  type UserEdge { cursor: String!, node: User }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }

  input Period { from: DateTime!, until: DateTime }
  input NewEvent { dates: [DateTime!]!, prices: [Money!]!, periods: [Period!], at: Point }

  type Query { event(id: ID!): Event, events: [Event!]! }
  type Mutation { addEvent(event: NewEvent!): Event! }
`
const options = { source: 'test', scalars: { Money: 'number' as const } }

interface Written {
  readonly Event: typeof Entity
  readonly Photo: typeof Entity
  readonly User: typeof Entity
}

const folder = join(import.meta.dirname, '../../../node_modules/.cache/openapi-graphql')
const { files, remarks } = generateGraphQL(source, options)
let written: Written
let controller: Controller
let sent: unknown[]
let bodies: Record<string, unknown>[]

const maja = { __typename: 'User', id: 'u1', name: 'Maja' }
const event = {
  id: 'e1',
  dates: ['2026-07-01T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
  reminders: ['2026-06-30T00:00:00.000Z', null],
  prices: [5, 7.5],
  track: [[[1, 2]]],
  items: [
    { __typename: 'Photo', id: 'p1', takenAt: '2026-07-01T00:00:00.000Z', by: maja },
    { __typename: 'Advert', text: 'New', until: '2026-08-01T00:00:00.000Z', by: maja },
  ],
  hosts: [maja, null],
  guests: {
    edges: [{ cursor: 'a', node: maja }, null],
    nodes: [maja, null],
    pageInfo: { hasNextPage: false, endCursor: 'a' },
    totalCount: 1,
  },
}

/** Takes text of a time alone, as servers do. */
function serverSchema(): GraphQLSchema {
  const built = buildSchema(source)
  const time = built.getType('DateTime') as GraphQLScalarType
  time.parseValue = (value) => {
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) throw new TypeError('no time')
    return value
  }
  return built
}
const server = serverSchema()
const roots = {
  event: () => event,
  events: () => [event],
  addEvent: ({ event: given }: { event: Record<string, unknown> }) => {
    sent.push(JSON.parse(JSON.stringify(given)))
    return { ...event, ...given, id: 'e2' }
  },
}
/** The documents that a persisting server knows, by the hash of their text. */
const persisted = new Map<string, string>()

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { path, text } of files) writeFileSync(join(folder, path), text)
  written = (await import(/* @vite-ignore */ join(folder, 'entities.ts'))) as Written
})

beforeEach(() => {
  sent = []
  bodies = []
  controller = new Controller({
    fetch: async (_, init) => {
      const body = JSON.parse(String(init?.body)) as Record<string, unknown>
      bodies.push(body)
      const text = body['query'] ?? persisted.get(String(body['documentId']))
      const variableValues = body['variables'] as Record<string, unknown>
      return Response.json(
        await graphql({ schema: server, source: String(text), rootValue: roots, variableValues }),
      )
    },
  })
})

const gql = new GQLEndpoint('https://api.example.com/graphql')

test('scalars in lists are dates and numbers, and typed', async () => {
  const getEvent = gql.query<{ id: string }, { event: typeof Entity }>(
    'query Event($id: ID!) { event(id: $id) { id dates reminders prices track } }',
    { event: written.Event },
  )
  const { event: read } = await controller.fetch(getEvent, { id: 'e1' })
  expect(read).toBeInstanceOf(written.Event)
  expect(read).toMatchObject({
    dates: [new Date('2026-07-01'), new Date('2026-07-02')],
    reminders: [new Date('2026-06-30'), null],
    prices: [5, 7.5],
    track: [[[1, 2]]],
  })
})

test('scalars in inputs, and in lists there, are sent as the server reads them', async () => {
  const addEvent = gql.mutation<{ event: object }, { addEvent: typeof Entity }>(
    'mutation Add($event: NewEvent!) { addEvent(event: $event) { id dates } }',
    { addEvent: written.Event },
  )
  const at = new Date('2026-07-03')
  await controller.fetch(addEvent, {
    event: { dates: [at, '2026-07-04T00:00:00Z'], prices: [3], periods: [{ from: at }], at: [1, 2] },
  })
  expect(sent).toEqual([
    {
      dates: ['2026-07-03T00:00:00.000Z', '2026-07-04T00:00:00Z'],
      prices: [3],
      periods: [{ from: '2026-07-03T00:00:00.000Z' }],
      at: [1, 2],
    },
  ])
})

test('unions and interfaces in lists are records and objects, each with what it holds', async () => {
  const getItems = gql.query<{ id: string }, { event: typeof Entity }>(
    `query Items($id: ID!) { event(id: $id) {
      id
      items {
        __typename
        ... on Photo { id takenAt by { id name } }
        ... on Advert { text until by { id name } }
      }
      hosts { __typename id ... on User { name } }
    } }`,
    { event: written.Event },
  )
  const { event: read } = await controller.fetch(getItems, { id: 'e1' })
  const { items, hosts } = read as unknown as {
    items: [{ takenAt: Date; by: object }, { until: Date; by: object }]
    hosts: [object, null]
  }
  expect(items[0]).toBeInstanceOf(written.Photo)
  expect(items[0].takenAt).toEqual(new Date('2026-07-01'))
  expect(items[1].until).toEqual(new Date('2026-08-01'))
  expect(hosts).toEqual([items[0].by, null])
  expect(hosts[0]).toBe(items[0].by)
  expect(items[1].by).toBe(items[0].by)
})

test('connections are read by edges and by nodes, and hold the selfsame records', async () => {
  const getGuests = gql.query<{ id: string }, { event: typeof Entity }>(
    `query Guests($id: ID!) { event(id: $id) { id guests(first: 2) {
      totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id name } } nodes { id name }
    } } }`,
    { event: written.Event },
  )
  const { event: read } = await controller.fetch(getGuests, { id: 'e1' })
  const { guests } = read as unknown as {
    guests: { edges: [{ node: object }, null]; nodes: [object, null]; totalCount: number }
  }
  expect(guests.edges[0].node).toBeInstanceOf(written.User)
  expect(guests.nodes).toEqual([guests.edges[0].node, null])
  expect(guests.nodes[0]).toBe(guests.edges[0].node)
  expect(guests).toMatchObject({ totalCount: 1, pageInfo: { hasNextPage: false, endCursor: 'a' } })
})

test('what is written has strict types for all of these', () => {
  const calls = `import { Event, Photo, User } from './entities.js'
import type { Item, NewEvent } from './entities.js'
export function read(event: Event): string {
  const [date] = event.dates
  const [reminder] = event.reminders ?? []
  const [price = 0] = event.prices
  const names = event.items.map((item: Item) => item instanceof Photo ? item.takenAt.getTime() : item.until.getTime())
  const hosts = (event.hosts ?? []).map((host) => host instanceof User ? host.name : host?.id)
  const guests = event.guests.edges?.map((edge) => edge?.node?.name)
  const nodes = event.guests.nodes?.map((node) => node?.name)
  return [date?.getTime(), reminder?.getTime(), price.toFixed(2), names, hosts, guests, nodes].join()
}
export const input: NewEvent = {
  dates: [new Date(0), '2026-07-01T00:00:00Z'], prices: [5], periods: [{ from: new Date(0), until: null }], at: [1, 2],
}
// @ts-expect-error: a price is a number
export const wrong: NewEvent = { dates: [], prices: ['5'] }
`
  expect(typeErrors([...files, { path: 'calls.ts', text: calls }])).toEqual([])
  expect(remarks.map(({ place, text }) => `${place} ${text.split(',')[0]}`)).toEqual([
    'Event.track has the scalar Point',
    'NewEvent.at has the scalar Point',
  ])
})

test('a persisted document is sent by its id, which its code generator wrote into it', async () => {
  const text = 'query Named($id: ID!) { event(id: $id) { id prices } }'
  const hash = createHash('sha256').update(text).digest('hex')
  persisted.set(hash, text)
  // As the client preset of GraphQL Code Generator writes it with `persistedDocuments`.
  const document = { ...parse(text), __meta__: { hash } }
  const getNamed = gql.query(document, { event: written.Event }).extend({
    getRequestInit: ({ operationName, variables }) => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ documentId: hash, operationName, variables }),
    }),
  })
  const { event: read } = (await controller.fetch(getNamed, { id: 'e1' } as never)) as { event: object }
  expect(read).toMatchObject({ id: 'e1', prices: [5, 7.5] })
  expect(bodies).toEqual([{ documentId: hash, operationName: 'Named', variables: { id: 'e1' } }])
})
