import { schema } from '@selfsame/core'
import { GQLEndpoint } from '@selfsame/core/graphql'
import { fetchByXhr } from '@selfsame/core/media'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { order, rule } from '@selfsame/core/rules'
import type { Optimistic } from '@selfsame/core/optimistic'
import type { RestEndpointClass } from '@selfsame/core/rest'
import { Article, ArticleMeta, ArticleSummary } from './article.js'
import { Activity, Issue, Label, Presence } from './issue.js'
import type { IssuePriority, IssueState } from './issue.js'
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

/** The body to write an issue; users and labels are ids. */
export interface IssueBody {
  readonly title: string
  readonly body?: string
  readonly state?: IssueState
  readonly priority?: IssuePriority
  readonly assignee?: number | null
  readonly labels?: readonly number[]
  /** For the optimistic record; the server knows who it is. */
  readonly author?: number | undefined
  readonly createdAt?: string
}

/** The body to write a comment on an issue. */
export interface IssueCommentBody {
  readonly issue: number
  readonly body: string
  /** For the optimistic record; the server knows who it is. */
  readonly actor?: number | undefined
  readonly createdAt?: string
}

/** Which issues a list has. */
export interface IssueFilter {
  readonly state?: IssueState | undefined
  /** The id of a user; `'none'` for issues that nobody has. */
  readonly assignee?: number | 'none' | undefined
  /** The id of a label. */
  readonly label?: number | undefined
  /** Text of the title, in any case. */
  readonly q?: string | undefined
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
  const issues = createResource({
    ...options,
    path: '/issue/:id',
    schema: Issue,
    searchParams: {} as IssueFilter,
    filter: rule(isWanted),
    orderBy: order('id', 'descending'),
  })
  const happened = new schema.Collection([Activity])
  const activities = createResource({
    ...options,
    path: '/activity/:id',
    schema: Activity,
    searchParams: { issue: 0 as number, limit: activityPageSize },
  })
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
    /** Issues of the tracker. A connected list receives the changes of all issues and users. */
    issueResource: {
      ...issues,
      getList: issues.getList.extend({
        stream: socket.stream({
          topic: () => 'tracker',
          subscribe: () => ({ type: 'subscribe', channel: 'tracker' }),
          unsubscribe: () => ({ type: 'unsubscribe', channel: 'tracker' }),
          select: ({ record }) => record,
          schemaAttribute: ({ kind, type }) => `${kind} ${type}`,
          schemas: {
            'issue created': Issue,
            'issue updated': Issue,
            'issue deleted': new schema.Delete(Issue),
            'user updated': User,
          },
        }),
      }),
      create: issues.create.extend({ body: {} as IssueBody }),
      partialUpdate: issues.partialUpdate.extend({ body: {} as Partial<IssueBody> }),
      /** Undoes a delete. */
      restore: issues.create.extend({ path: '/issue/:id/restore', body: undefined, name: 'restoreIssue' }),
    },
    /** What happened to an issue, page by page, the newest first. */
    activityResource: {
      getList: activities.getList.extend({
        schema: happened,
        stream: socket.stream({
          topic: ({ issue }: { issue: number }) => `activity:${issue}`,
          subscribe: ({ issue }) => ({ type: 'subscribe', channel: `activity:${issue}` }),
          unsubscribe: ({ issue }) => ({ type: 'unsubscribe', channel: `activity:${issue}` }),
          select: ({ record }) => record,
          schema: happened.unshift,
        }),
      }),
      /** Writes a comment. */
      create: activities.create.extend({ body: {} as IssueCommentBody, schema: happened.unshift }),
    },
    getLabels: new RestEndpoint({ ...options, path: '/label', name: 'getLabels', schema: [Label] }),
    /** Who views an issue. A connected reader is one of them: `user` is his id, if he is signed in. */
    getPresence: new RestEndpoint({
      ...options,
      path: '/issue/:id/presence',
      name: 'getPresence',
      searchParams: {} as { user?: number | undefined },
      schema: Presence,
      stream: socket.stream({
        topic: ({ id }: { id: number; user?: number | undefined }) => `presence:${id}`,
        subscribe: ({ id, user }) => ({ type: 'subscribe', channel: `presence:${id}`, user }),
        unsubscribe: ({ id }) => ({ type: 'unsubscribe', channel: `presence:${id}` }),
        select: ({ id, users: viewers }) => ({ id, users: viewers }),
      }),
    }),
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

/** True for an issue that a filter lets through. */
export function isWanted(issue: Issue, { state, assignee, label, q = '' }: IssueFilter): boolean {
  if (state !== undefined && issue.state !== state) return false
  if (assignee === 'none' && issue.assignee !== null) return false
  if (typeof assignee === 'number' && issue.assignee?.id !== assignee) return false
  if (label !== undefined && !issue.labels.some(({ id }) => id === label)) return false
  return issue.title.toLowerCase().includes(q.toLowerCase())
}

/** The number of activities per page. */
export const activityPageSize = 20

/** The number of articles per page. */
export const pageSize = 12

/** Requests full users in place of their ids. */
const expanded = { searchParams: { expand: 'author,contributors' } } as const
