import { schema } from '@selfsame/core'
import { Controller } from '@selfsame/core'
import { GQLEndpoint, GQLEntity, GQLNetworkError } from '@selfsame/core/graphql'
import { useSuspense } from '@selfsame/react'
import { createMockController } from '@selfsame/core/testing'
import { renderDataHook } from '@selfsame/react/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'

// The samples of docs/graphql.md.

afterEach(() => vi.unstubAllGlobals())

class User extends GQLEntity {
  name = ''
  static override key = 'User'
}

class Article extends GQLEntity {
  title = ''
  author: User | null = null
  static override key = 'Article'
  static override schema = { author: User }
}

const gql = new GQLEndpoint('https://api.example.com/graphql')

const getArticle = gql.query(
  (variables: { id: string }) => `
    query GetArticle($id: ID!) {
      article(id: $id) { id title author { id name } }
    }`,
  { article: Article },
)

const renameArticle = gql.mutation(
  (variables: { id: string; title: string }) => `
    mutation RenameArticle($id: ID!, $title: String!) {
      renameArticle(id: $id, title: $title) { id title }
    }`,
  { renameArticle: Article },
)

/**
 * Answers the query, the mutation, and a mutation without a title by an error.
 */
const serveArticles = () =>
  serve({
    'POST /graphql': ({
      body,
    }: {
      body: { query: string; variables: { id: string; title?: string } }
    }) => {
      const { id, title } = body.variables
      if (title === '')
        return {
          errors: [{ message: 'No title', extensions: { code: 'EMPTY' } }],
        }
      if (title !== undefined) return { data: { renameArticle: { id, title } } }
      return {
        data: {
          article: { id, title: 'Old', author: { id: '1', name: 'Ann' } },
        },
      }
    },
  })

test('what a query reads is renamed by a mutation', async () => {
  serveArticles()
  const controller = createMockController({ unanswered: 'fetch' })
  const { result, settle, unmount } = renderDataHook(
    () => {
      const { article } = useSuspense(getArticle, { id: '5' })
      return article
    },
    { controller },
  )
  await settle()
  expect(result.current).toMatchObject({
    title: 'Old',
    author: { name: 'Ann' },
  })
  await controller.fetch(renameArticle, { id: '5', title: 'New' })
  await settle()
  expect(result.current).toMatchObject({
    title: 'New',
    author: { name: 'Ann' },
  })
  await unmount()
})

test('errors carry what the server sent', async () => {
  serveArticles()
  const controller = new Controller()
  const show = vi.fn<(codes: unknown) => void>()
  try {
    await controller.fetch(renameArticle, { id: '5', title: '' })
  } catch (error) {
    if (error instanceof GQLNetworkError)
      show(error.errors.map(({ extensions }) => extensions?.code))
  }
  expect(show).toHaveBeenCalledWith(['EMPTY'])
})

test('headers go out with each request', async () => {
  const requests = serveArticles()
  const session = { token: 'secret' }
  const gql = new GQLEndpoint('/graphql', {
    getHeaders: (headers) => ({ ...headers, 'Access-Token': session.token }),
  })
  await gql.query('{ article { id } }', { article: Article })({})
  expect(requests[0]?.headers.get('Access-Token')).toBe('secret')
  expect(new schema.Delete(Article)).toBeInstanceOf(schema.Delete)
})
