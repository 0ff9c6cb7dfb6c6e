import { schema } from '@selfsame/core'
import { GQLEndpoint, GQLEntity } from '@selfsame/core/graphql'
import { graphqlSubscriptions } from '@selfsame/core/live'
import { createClient } from 'graphql-ws'

class Article extends GQLEntity {
  title = ''
  static override key = 'Article'
}

const gql = new GQLEndpoint('https://api.example.com/graphql')
const live = graphqlSubscriptions(
  createClient({ url: 'wss://api.example.com/graphql' }),
)

export const getArticle = gql
  .query(
    (_variables: { id: string }) =>
      'query ($id: ID!) { article(id: $id) { id title } }',
    { article: Article },
  )
  .extend({
    stream: live.stream(
      'subscription ($id: ID!) { articleChanged(id: $id) { id title } }',
      { schema: Article },
    ),
  })

const articles = new schema.Collection([Article])

export const getArticles = gql
  .query('{ articles { id title } }', { articles })
  .extend({
    stream: live.stream(
      `subscription {
        changes {
          __typename
          ... on Article { id title }
          ... on Removed { id }
        }
      }`,
      {
        schemas: {
          Article: articles.push,
          Removed: new schema.Delete(Article),
        },
      },
    ),
  })
