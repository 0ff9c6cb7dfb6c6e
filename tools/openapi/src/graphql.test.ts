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
  expect(new Revision().pk.call({ id: 5 } as Revision)).toBe(5)
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
