import { Controller } from '@selfsame/core'
import { GQLEndpoint } from '@selfsame/core/graphql'
import type { GQLRequestBody } from '@selfsame/core/graphql'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { Article } from '../../tools/openapi/golden/graphql/entities.js'

class PersistedEndpoint extends GQLEndpoint {
  override async getRequestInit(body: GQLRequestBody) {
    const init = await super.getRequestInit(body)
    const { __meta__ } = this.document as { __meta__?: { hash: string } }
    if (__meta__ === undefined) return init
    const { query: _, ...rest } = body
    const documentId = __meta__.hash
    return { ...init, body: JSON.stringify({ documentId, ...rest }) }
  }
}

test('a document that has an id is sent by it, any other as text', async () => {
  const sent: unknown[] = []
  const controller = new Controller({
    fetch: (_, init) => {
      sent.push(JSON.parse(String(init?.body)))
      return Promise.resolve(
        Response.json({ data: { article: { id: 'a1', title: 'One' } } }),
      )
    },
  })
  const gql = new PersistedEndpoint('https://blog.example.com/graphql')
  const text = 'query GetArticle { article(id: "a1") { id title } }'
  // As GraphQL Code Generator writes it, with the ids in its documents.
  const document = { ...parse(text), __meta__: { hash: 'sha256:5e1b' } }
  const { article } = await controller.fetch(
    gql.query(document, { article: Article }),
  )
  expect(article).toBeInstanceOf(Article)
  await controller.fetch(gql.query(text, { article: Article }))
  expect(sent).toEqual([
    { documentId: 'sha256:5e1b', operationName: 'GetArticle' },
    { query: text, operationName: 'GetArticle' },
  ])
})

test('a document that is its id alone is refused', () => {
  const gql = new PersistedEndpoint('https://blog.example.com/graphql')
  // As GraphQL Code Generator writes it, with the ids in place of its documents.
  const document = { __meta__: { hash: 'sha256:5e1b' } }
  expect(() => gql.query(document as never)).toThrow(
    'received a document without an operation',
  )
})
