import { schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestEndpointClass } from '@selfsame/core/rest'
import { Article, ArticleSummary } from './article.js'
import { createLive } from './live.js'
import type { LiveOptions } from './live.js'
import { Price } from './price.js'
import { User } from './user.js'

/** What is sent to write an article: its author goes by id. */
export interface ArticleBody {
  readonly title: string
  readonly content: string
  readonly author?: number | null
}

/** What is sent to write a user. */
export interface UserBody {
  readonly name: string
  readonly email: string
  readonly website?: string
}

export interface ApiOptions {
  /** Where the server is: an address, or a path on the page's own server. @default '' */
  readonly urlPrefix?: string
  /** The class of all endpoints. @default RestEndpoint */
  readonly Endpoint?: RestEndpointClass
  /** What makes live connections. @default the platform's */
  readonly live?: LiveOptions
}

/** What the demo's server offers. */
export type Api = ReturnType<typeof createApi>

/**
 * Describes the demo's server, for every app alike.
 *
 * @example
 * const { articleResource } = createApi({ urlPrefix: 'http://127.0.0.1:4400' })
 * const articles = await articleResource.getList()
 */
export function createApi({ live, ...options }: ApiOptions = {}) {
  const { articleChanges, socket } = createLive(options.urlPrefix, live)
  const users = createResource({ ...options, path: '/user/:id', schema: User })
  const articles = createResource({ ...options, path: '/article/:id', schema: Article })
  const summaries = new schema.Collection([ArticleSummary])
  return {
    userResource: {
      ...users,
      partialUpdate: users.partialUpdate.extend({ body: {} as Partial<UserBody> }),
    },
    articleResource: {
      ...articles,
      get: articles.get.extend(expanded),
      getList: articles.getList.extend({
        schema: summaries,
        searchParams: { expand: 'author', q: '', limit: '' },
        stream: articleChanges.stream({
          schemas: { created: summaries.unshift, updated: Article, deleted: new schema.Delete(Article) },
        }),
      }),
      // The server lists the newest first.
      create: articles.create.extend({ ...expanded, body: {} as ArticleBody, schema: summaries.unshift }),
      partialUpdate: articles.partialUpdate.extend({ ...expanded, body: {} as Partial<ArticleBody> }),
      /** Takes a delete back. */
      restore: articles.create.extend({
        ...expanded,
        path: '/article/:id/restore',
        body: undefined,
        schema: summaries.unshift,
      }),
    },
    /** Prices that move all the time. */
    getPrices: new RestEndpoint({
      urlPrefix: options.urlPrefix,
      path: '/ticker',
      name: 'getPrices',
      schema: [Price],
      stream: socket.stream({
        topic: () => 'ticker',
        subscribe: () => ({ type: 'subscribe', channel: 'ticker' }),
        unsubscribe: () => ({ type: 'unsubscribe', channel: 'ticker' }),
        schema: Price,
      }),
    }),
  }
}

/** Asks the server for whole users where it would name them by id. */
const expanded = { searchParams: { expand: 'author,contributors' } } as const
