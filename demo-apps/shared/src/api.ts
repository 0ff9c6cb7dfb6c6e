import { schema } from '@selfsame/core'
import { GQLEndpoint } from '@selfsame/core/graphql'
import { fetchByXhr } from '@selfsame/core/media'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { Optimistic } from '@selfsame/core/optimistic'
import type { RestEndpointClass } from '@selfsame/core/rest'
import { Article, ArticleMeta, ArticleSummary } from './article.js'
import { createLive } from './live.js'
import type { LiveOptions } from './live.js'
import { Price } from './price.js'
import { Avatar, Birthday, Comment, FeedLink, FeedPost, NewsItem } from './records.js'
import { User } from './user.js'

/** The body to write an article; the author is an id. */
export interface ArticleBody {
  readonly title: string
  readonly content: string
  readonly author?: number | null
}

/** The body to write a user. */
export interface UserBody {
  readonly name: string
  readonly email: string
  readonly website?: string
}

/** The body to write a comment. */
export interface CommentBody {
  readonly postId: number
  readonly name: string
  readonly email: string
  readonly body: string
}

export interface ApiOptions {
  /** The URL of the server, or a path on the page's own server. @default '' */
  readonly urlPrefix?: string
  /** The class of all endpoints. @default RestEndpoint */
  readonly Endpoint?: RestEndpointClass
  /** `optimistic` of the core, which shows mutations before their response. @default not optimistic */
  readonly optimistic?: Optimistic
  /** The constructors of live connections. @default the platform's */
  readonly live?: LiveOptions
}

/** The endpoints of the demo's server. */
export type Api = ReturnType<typeof createApi>

/**
 * Creates the endpoints of the demo's server, for all applications.
 *
 * @example
 * const { articleResource } = createApi({ urlPrefix: 'http://127.0.0.1:4400' })
 * const articles = await articleResource.getList()
 */
export function createApi({ live, ...options }: ApiOptions = {}) {
  const { articleChanges, articleViews, socket } = createLive(options.urlPrefix, live)
  const users = createResource({ ...options, path: '/user/:id', schema: User })
  const articles = createResource({ ...options, path: '/article/:id', schema: Article })
  const comments = createResource({ ...options, path: '/comments/:id', schema: Comment })
  const summaries = new schema.Collection([ArticleSummary])
  // A search is answered by the server. The pages follow each other, so their order and length change nothing.
  const pages = new schema.Collection([ArticleSummary], {
    nonFilterArgumentKeys: ['sort', 'limit', 'expand'],
  })
  const commentList = new schema.Collection([Comment])
  const gql = new GQLEndpoint(`${options.urlPrefix ?? ''}/graphql`)
  return {
    userResource: {
      ...users,
      partialUpdate: users.partialUpdate.extend({ body: {} as Partial<UserBody> }),
    },
    articleResource: {
      ...articles,
      /** A connected reader counts as a view, and receives the counts of later views. */
      get: articles.get.extend({ ...expanded, stream: articleViews.stream({ schema: ArticleMeta }) }),
      getList: articles.getList.extend({
        schema: summaries,
        searchParams: { expand: 'author', q: '', limit: '', sort: undefined as 'newest' | undefined },
        stream: articleChanges.stream({
          schemas: { created: summaries.unshift, updated: Article, deleted: new schema.Delete(Article) },
        }),
      }),
      /** The newest first, page by page: the cursor is the id of the last article. */
      getPages: articles.getList.extend({
        name: 'getPages',
        schema: pages,
        searchParams: {
          expand: 'author',
          sort: 'newest',
          limit: pageSize,
          author: undefined as number | undefined,
          q: undefined as string | undefined,
        },
      }),
      create: articles.create.extend({ ...expanded, body: {} as ArticleBody, schema: summaries.unshift }),
      partialUpdate: articles.partialUpdate.extend({ ...expanded, body: {} as Partial<ArticleBody> }),
      /** Undoes a delete. */
      restore: articles.create.extend({
        ...expanded,
        path: '/article/:id/restore',
        body: undefined,
        schema: summaries.unshift,
      }),
    },
    /** The server sends comments in a wrapper. */
    commentResource: {
      ...comments,
      get: comments.get.extend({ schema: { data: Comment } }),
      getList: comments.getList.extend({
        schema: { data: commentList },
        searchParams: { postId: 0 as number },
      }),
      create: comments.create.extend({ body: {} as CommentBody, schema: { data: commentList.push } }),
    },
    /** The signed-in user, whose token is in the header `Access-Token`. */
    accountResource: {
      get: users.get.extend({ path: '/current_user/', name: 'currentUser' }),
    },
    /** The picture of a user. Uploading one needs that user's token. */
    avatarResource: {
      get: new RestEndpoint({ ...options, path: '/user/:id/avatar', name: 'getAvatar', schema: Avatar }),
      upload: new RestEndpoint({
        ...options,
        path: '/user/:id/avatar',
        name: 'uploadAvatar',
        method: 'PUT',
        body: {} as Blob,
        schema: Avatar,
        fetchResponse: fetchByXhr,
      }),
    },
    /** Links and posts in one list, page by page. */
    getFeed: new RestEndpoint({
      ...options,
      path: '/feed',
      name: 'getFeed',
      searchParams: { limit: 10 },
      paginationField: 'cursor',
      schema: {
        results: new schema.Collection([new schema.Union({ link: FeedLink, post: FeedPost }, 'type')]),
        cursor: '',
      },
    }),
    /** Birthdays of the next days. The response has ids of users, which the cache joins. */
    getBirthdays: new RestEndpoint({
      ...options,
      path: '/api/birthdays/upcoming/',
      name: 'getBirthdays',
      schema: { withinSevenDays: [Birthday], withinThirtyDays: [Birthday] },
    }),
    /** News with a picture each. */
    getPictures: new RestEndpoint({
      ...options,
      path: '/api/news',
      name: 'getPictures',
      searchParams: { limit: 9 },
      schema: [NewsItem],
    }),
    /** The same articles by GraphQL: each is the record that REST gives. */
    articleQueries: {
      getList: gql.query(
        (_variables: { limit: number }) => `
          query Articles($limit: Int!) {
            articles(limit: $limit) { id title createdAt author { id name email website isAdmin } }
          }`,
        { articles: [ArticleSummary] },
      ),
      rename: gql.mutation(
        (_variables: { id: number; title: string }) => `
          mutation RenameArticle($id: Int!, $title: String!) {
            updateArticle(id: $id, input: { title: $title }) { id title }
          }`,
        { updateArticle: ArticleSummary },
      ),
    },
    /** Prices, which change all the time. */
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

/** The number of articles per page. */
export const pageSize = 12

/** Requests full users in place of their ids. */
const expanded = { searchParams: { expand: 'author,contributors' } } as const
