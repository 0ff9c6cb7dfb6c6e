import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Controller } from '@selfsame/core'
import { GQLEndpoint, GQLEntity } from '@selfsame/core/graphql'
import { expect, test } from 'vitest'
import {
  Article,
  articleConnectionSchema,
  blockSchema,
  nodeSchema,
  Revision,
  User,
} from '../golden/graphql/entities.js'
import { formatFiles } from './format.js'
import { generateGraphQL } from './generate-graphql.js'
import { typeErrors } from './testing-types.js'

const golden = join(import.meta.dirname, '../golden')
const source = readFileSync(join(golden, 'blog.graphql'), 'utf8')

test('golden/graphql is what the schema beside it gives', async () => {
  const { files } = generateGraphQL(source, { source: 'blog.graphql' })
  const [file, another] = await formatFiles(files, join(golden, 'graphql'))
  expect(another).toBe(undefined)
  expect(file?.text).toBe(readFileSync(join(golden, 'graphql/entities.ts'), 'utf8'))
})

test('an id that is text makes a GQLEntity, any other an Entity', () => {
  expect(new Article()).toBeInstanceOf(GQLEntity)
  expect(new Revision()).not.toBeInstanceOf(GQLEntity)
  expect(new Revision().pk.call({ id: 5 } as Revision)).toBe('5')
})

test('records of connections, unions and interfaces are the selfsame objects', async () => {
  const author = { __typename: 'User', id: 'u1', name: 'Maja' }
  const answers: Record<string, unknown> = {
    List: { articles: { edges: [{ cursor: 'a', node: { id: 'a1', title: 'One', author } }] } },
    Node: { node: { ...author, email: null } },
    Blocks: {
      blocks: [
        { __typename: 'Picture', url: '/p' },
        { __typename: 'Quote', text: 'Yes', by: author },
      ],
    },
  }
  const controller = new Controller({
    fetch: (_, init) => {
      const { query } = JSON.parse(String(init?.body)) as { query: string }
      return Promise.resolve(Response.json({ data: answers[/query (\w+)/.exec(query)?.[1] ?? ''] }))
    },
  })
  const gql = new GQLEndpoint('https://blog.example.com/graphql')
  const getList = gql.query(
    'query List { articles { edges { cursor node { id title author { id name } } } } }',
    {
      articles: articleConnectionSchema,
    },
  )
  const getNode = gql.query('query Node { node(id: "u1") { __typename id ... on User { name email } } }', {
    node: nodeSchema,
  })
  const getBlocks = gql.query('query Blocks { blocks { __typename ... } }', { blocks: [blockSchema] })
  const { articles } = await controller.fetch(getList)
  const article = articles?.edges?.[0]?.node
  expect(article).toBeInstanceOf(Article)
  const { node } = await controller.fetch(getNode)
  expect(node).toBeInstanceOf(User)
  const { blocks } = await controller.fetch(getBlocks)
  expect((blocks[1] as { by?: unknown }).by).toBe(node)
  expect(controller.get(Article, { id: 'a1' })?.author).toBe(node)
})

test('names, scalars and relations are corrected by options, and odd ones are said', () => {
  const { files, remarks } = generateGraphQL(
    `scalar Moment
     type Record { id: ID! at: Moment! ownerId: ID! }
     type Owner @key(fields: "id") { id: ID! }
     type Query { record: Record }`,
    { source: 'test', dates: ['Moment'], relations: { 'Record.ownerId': 'Owner' } },
  )
  const [{ text } = { text: '' }] = files
  expect(text).toContain('export class RecordModel extends GQLEntity')
  expect(text).toContain('static override schema = { at: Date, owner: Owner }')
  expect(text).toContain("relate(record, { owner: 'ownerId' })")
  expect(remarks.map(({ text: remark }) => remark)).toEqual([
    'is called RecordModel, because "Record" is reserved.',
  ])
})

test('interfaces whose kinds hold each other are written in an order that has strict types', () => {
  const { files } = generateGraphQL(
    `interface Actor { id: ID! }
     union Owner = User | Team
     type Merge { by: Actor, at: DateTime }
     type User implements Actor { id: ID!, merge: Merge, owner: Owner, lists: [Actor!]! }
     type Team implements Actor { id: ID!, members: [User!]!, entries: [Entry!]! }
     type Entry { id: ID!, owner: Owner!, merges: [Merge!]! }
     scalar DateTime
     type Query { merge: Merge }`,
    { source: 'test' },
  )
  expect(typeErrors(files)).toEqual([])
})

test('a scalar is what the options say, and text that is no schema is refused with its line', () => {
  const source = 'scalar Money\ntype Item { id: ID!, price: Money! }\ntype Query { item: Item }'
  const { files, remarks } = generateGraphQL(source, { source: 'test', scalars: { Money: 'number' } })
  expect(files[0]?.text).toContain('price = 0')
  expect(remarks).toEqual([])
  expect(() => generateGraphQL('type Query {\n  a: !', { source: 'shop.graphql' })).toThrow(
    'shop.graphql:2:6 is no GraphQL schema: Syntax Error: Expected Name, found "!".',
  )
})
