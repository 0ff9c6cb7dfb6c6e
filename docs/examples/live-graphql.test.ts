import { Controller } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import type { SubscriptionClient } from '@selfsame/core/live'
import { expect, test, vi } from 'vitest'
import { getArticle, getArticles } from './live-graphql.js'

type Sink = Parameters<SubscriptionClient['subscribe']>[1]

const { sinks } = vi.hoisted(() => ({ sinks: [] as Sink[] }))
vi.mock('graphql-ws', () => ({
  createClient: (): SubscriptionClient => ({
    subscribe: (_request, sink) => {
      sinks.push(sink)
      return () => {}
    },
  }),
}))

test('a subscription keeps a record and a list fresh', async () => {
  const controller = new Controller()
  const first = { id: '5', title: 'First' }
  controller.setResponse(getArticle, { id: '5' }, { article: first })
  controller.setResponse(getArticles, { articles: [first] })
  const ends = [
    connect(controller, getArticle, { id: '5' }),
    connect(controller, getArticles),
  ]
  sinks[0]?.next({ data: { articleChanged: { id: '5', title: 'Changed' } } })
  for (const change of [
    { __typename: 'Article', id: '6', title: 'Second' },
    { __typename: 'Removed', id: '5' },
  ]) {
    sinks[1]?.next({ data: { changes: change } })
  }
  await vi.waitFor(() =>
    expect(
      controller.get(getArticle.schema.article, { id: '6' }),
    ).toBeDefined(),
  )
  const { articles } = controller.read(getArticles).data ?? {}
  expect(articles?.map(({ title }) => title)).toEqual(['Second'])
  for (const end of ends) end()
  controller.dispose()
})
