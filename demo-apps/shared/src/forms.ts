import { schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { Article, ArticleSummary } from './article.js'
import { Birthday, Comment, FeedLink, FeedPost, NewsItem, Profile, Todo } from './records.js'
import { User } from './user.js'

/**
 * Reads lists with page tokens in the header `link`. One class serves all endpoints that need it.
 *
 * @see specification 4.4, rule 3
 */
export class LinkedEndpoint<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
  override async parseResponse(response: Response): Promise<unknown> {
    const results = await super.parseResponse(response)
    const link = response.headers.get('link')
    return link === null && !Array.isArray(results) ? results : { link, results }
  }
}

/** Sends the cookies of the page's own server with each request (specification 5 rule 3). */
export class CredentialsEndpoint<
  const Options extends RestOptions = RestOptions,
> extends RestEndpoint<Options> {
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
  }
}

/** One endpoint for each form that an API can have, on the demo's server (specification 4.3, 4.4). */
export type Forms = ReturnType<typeof createForms>

/**
 * Describes one call of each form.
 *
 * @param urlPrefix - the address of the demo's server
 */
export function createForms(urlPrefix: string) {
  const users = createResource({ urlPrefix, path: '/user/:id', schema: User })
  const articles = createResource({ urlPrefix, path: '/article/:id', schema: Article })
  const comments = createResource({ urlPrefix, path: '/comments/:id', schema: Comment })
  const linked = createResource({
    urlPrefix,
    path: '/article/:id',
    schema: ArticleSummary,
    Endpoint: LinkedEndpoint,
  })
  return {
    users,
    articles,
    todos: createResource({ urlPrefix, path: '/todo/:id', schema: Todo }),
    profiles: createResource({ urlPrefix, path: '/profile/:id', schema: Profile }),

    /** A call outside of a resource that returns a record. */
    makeManager: new RestEndpoint({
      urlPrefix,
      path: '/users/:id/make_manager',
      method: 'POST',
      body: undefined,
      schema: User,
    }),
    /** A read without params. */
    currentUser: users.get.extend({ path: '/current_user/', name: 'currentUser' }),
    /** The same by POST; it is a read, because `sideEffect` is off. */
    currentUserByPost: users.get.extend({ path: '/current_user/', method: 'POST', sideEffect: false }),
    /** An object of lists. */
    upcomingBirthdays: new RestEndpoint({
      urlPrefix,
      path: '/api/birthdays/upcoming/',
      searchParams: { date: '' },
      schema: { withinSevenDays: [Birthday], withinThirtyDays: [Birthday] },
    }),
    /** Pages by a cursor in the body, of records of several classes. */
    feed: new RestEndpoint({
      urlPrefix,
      path: '/feed',
      searchParams: { limit: 20 },
      paginationField: 'cursor',
      schema: {
        results: new schema.Collection([new schema.Union({ link: FeedLink, post: FeedPost }, 'type')]),
        cursor: '',
      },
    }),
    /** A list of records without all of their fields. */
    articleSummaries: articles.getList.extend({ schema: new schema.Collection([ArticleSummary]) }),
    /** Record and list in a wrapper. */
    comments: {
      ...comments,
      get: comments.get.extend({ schema: { data: Comment } }),
      getList: comments.getList.extend({ schema: { data: new schema.Collection([Comment]) } }),
    },
    /** Tokens in the body. */
    news: new RestEndpoint({
      urlPrefix,
      path: '/news',
      searchParams: { page: '', limit: 20 },
      schema: { results: [NewsItem], nextPage: '' as string | null, prevPage: '' as string | null },
    }),
    /** Tokens in a header. */
    linkedArticles: linked.getList.extend({
      path: '/article/paged',
      schema: { results: [ArticleSummary], link: '' as string | null },
    }),
  }
}
