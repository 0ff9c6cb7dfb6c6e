import { Endpoint, Entity, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import type { RestOptions } from '@selfsame/core/rest'
import { baseUrl } from './server.js'
import type { Server, ServerRequest } from './server.js'
import { optimistic } from '@selfsame/core/optimistic'

// The entities of specification 2.3 that the scenarios need.

export class Todo extends Entity {
  id: string | number = 0
  userId = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

export class User extends Entity {
  id: string | number = 0
  name = ''
  email = ''
  static override key = 'User'
}

/** An article in a list: the same record as `Article`, read without its content. */
export class ArticleSummary extends Entity {
  id: string | number = 0
  title = ''
  author: User | null = null
  static override key = 'Article'
  static override schema = { author: User }
}

/** A full article. A summary lacks a required field of it. */
export class Article extends Entity {
  id: string | number = 0
  title = ''
  content = ''
  createdAt: Date | null = null
  author: User | null = null
  contributors: readonly User[] = []
  static override key = 'Article'
  static override schema = { author: User, contributors: [User], createdAt: Date }
  static override validate(article: Readonly<Record<string, unknown>>) {
    return article['content'] === undefined ? 'content is missing' : undefined
  }
}

/** A record whose class sets its expiry: 10 seconds. */
export class Notice extends Entity {
  id = 0
  text = ''
  static override key = 'Notice'
  static override dataExpiryLength = 10_000
}

/** The todos of one user, which the user's response or a call of their own may contain. */
export const ownedTodos = new schema.Collection([Todo], {
  nestKey: ({ id }: { readonly id: number }) => ({ userId: id }),
})

/** A user whose response contains the user's todos, as a list that mutations change. */
export class Owner extends Entity {
  id = 0
  name = ''
  todos: readonly Todo[] = []
  static override key = 'Owner'
  static override schema = { todos: ownedTodos }
}

/** A record with a relation whose schema is resolved lazily. */
export class Friend extends Entity {
  id = 0
  name = ''
  friends: readonly string[] = []
  static override key = 'Friend'
}

export const lazyFriends = new schema.Lazy(() => [Friend] as const)
Friend.schema = { friends: lazyFriends }

/** The two kinds of feed items. Both may have the same primary key. */
export class Link extends Entity {
  id = 0
  type = 'link'
  url = ''
  static override key = 'Link'
}

export class Post extends Entity {
  id = 0
  type = 'post'
  content = ''
  static override key = 'Post'
}

/** A todo in the server's format. */
export function todoFields(id: number, fields: object = {}): object {
  return { id, userId: 1, title: `Todo ${id}`, completed: false, ...fields }
}

/** A user in the server's format. */
export function userFields(id: number, fields: object = {}): object {
  return { id, name: `User ${id}`, email: `user${id}@example.com`, ...fields }
}

/** An article in the server's format, with its author and contributors. */
export function articleFields(id: number, fields: object = {}): object {
  return {
    id,
    title: `Article ${id}`,
    content: `Content ${id}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    author: userFields(1),
    contributors: [userFields(1), userFields(2)],
    ...fields,
  }
}

/** The default routes of the scripted server. */
export function routeSamples(server: Server): void {
  for (const id of [1, 5, 6]) {
    server.route(`GET /todo/${id}`, todoFields(id))
    server.route(`DELETE /todo/${id}`, {})
    server.route(`PATCH /todo/${id}`, ({ body }: ServerRequest) => todoFields(id, body as object))
  }
  server.route('POST /todo', ({ body }: ServerRequest) => todoFields(9, body as object))
  server.route('GET /todo', [todoFields(5), todoFields(6)])
  server.route('GET /todo?userId=1', [todoFields(5), todoFields(6)])
  server.route('GET /article', [articleFields(1), articleFields(2)])
  server.route('GET /user', [userFields(1), userFields(2)])
  for (const id of [1, 2]) {
    server.route(`GET /article/${id}`, articleFields(id))
    server.route(`GET /user/${id}`, userFields(id))
    server.route(`PATCH /user/${id}`, ({ body }: ServerRequest) => userFields(id, body as object))
  }
  server.route('GET /owner/1', { id: 1, name: 'User 1', todos: [todoFields(5), todoFields(6)] })
  server.route('GET /friend/1', {
    id: 1,
    name: 'Friend 1',
    friends: [
      { id: 2, name: 'Friend 2' },
      { id: 3, name: 'Friend 3' },
    ],
  })
  server.route('GET /feed', [
    { id: 1, type: 'link', url: 'https://example.com' },
    { id: 1, type: 'post', content: 'Content 1' },
  ])
  server.route('GET /notice/1', { id: 1, text: 'Closed today' })
  server.route('GET /wrapped/todo/5', { data: todoFields(5) })
  server.route('GET /settings', { theme: 'dark' })
  server.route('POST /search', [todoFields(5)])
  server.route('greet 5', { greeting: 'Hello', todo: todoFields(5) })
}

/** The resources and endpoints of the scenarios. All send their requests to the scripted server. */
export type Api = ReturnType<typeof createApi>

export function createApi(server: Server) {
  class ScriptedEndpoint<const Options extends RestOptions> extends RestEndpoint<Options> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return server.fetch(url, init)
    }
  }
  const shared = { urlPrefix: baseUrl, Endpoint: ScriptedEndpoint }
  const todo = createResource({ ...shared, path: '/todo/:id', schema: Todo })
  const user = createResource({ ...shared, path: '/user/:id', schema: User })
  const article = createResource({ ...shared, path: '/article/:id', schema: Article })
  const notice = createResource({ ...shared, path: '/notice/:id', schema: Notice })
  const link = createResource({ ...shared, path: '/link/:id', schema: Link })
  const post = createResource({ ...shared, path: '/post/:id', schema: Post })
  return {
    todo,
    user,
    article,
    notice,
    link,
    post,
    owner: createResource({ ...shared, path: '/owner/:id', schema: Owner }),
    friend: createResource({ ...shared, path: '/friend/:id', schema: Friend }),
    /** Todos with optimistic mutations. */
    hopeful: createResource({ ...shared, path: '/todo/:id', schema: Todo, optimistic }),
    /** The todos of an owner, read by a call of their own, whose `push` adds one. */
    ownedTodos: todo.getList.extend({ schema: ownedTodos, name: 'Owner.todos' }),
    addOwnedTodo: todo.create.extend({ schema: ownedTodos.push, name: 'Owner.addTodo' }),
    /** The list of todos in an object, in a Collection of its own. */
    wrappedTodos: todo.getList.extend({
      schema: { results: new schema.Collection([Todo]), next: '' },
      name: 'Todo.wrapped',
    }),
    /** A list whose members the server chooses. */
    popularTodos: todo.getList.extend({ path: '/todo/popular', name: 'Todo.popular' }),
    /** A list with members of two classes. */
    feed: new ScriptedEndpoint({
      urlPrefix: baseUrl,
      path: '/feed',
      schema: new schema.Array({ link: Link, post: Post }, 'type'),
    }),
    /** Records of one of two classes. */
    item: createResource({
      ...shared,
      path: '/item/:id',
      schema: new schema.Union({ link: Link, post: Post }, 'type'),
      name: 'Item',
    }),
    /** The list of articles as summaries: the same records as `article.get` reads. */
    summaries: article.getList.extend({ schema: [ArticleSummary], name: 'Article.summaries' }),
    /** Stale immediately. */
    shortLived: todo.get.extend({ dataExpiryLength: 0 }),
    shortLivedList: todo.getList.extend({ dataExpiryLength: 0 }),
    /** Never Stale. */
    lasting: todo.get.extend({ dataExpiryLength: Infinity }),
    /** Invalid once it is Stale. */
    freshOnly: todo.get.extend({ invalidIfStale: true }),
    cacheFirst: todo.get.extend({ policy: 'cache-first' }),
    networkFirst: todo.get.extend({ policy: 'network-first' }),
    /** A response that is not a record. */
    settings: new ScriptedEndpoint({ urlPrefix: baseUrl, path: '/settings' }),
    /** A response with a record inside an object. */
    wrapped: new ScriptedEndpoint({
      urlPrefix: baseUrl,
      path: '/wrapped/todo/:id',
      schema: { data: Todo },
    }),
    /** A POST request that only reads. */
    search: new ScriptedEndpoint({
      urlPrefix: baseUrl,
      path: '/search',
      method: 'POST',
      sideEffect: false,
      schema: [Todo],
    }),
    /** Not a REST endpoint: calls the server with `greet {id}`. It can reject with any value. */
    greet: new Endpoint(({ id }: { id: number }) => server.call(`greet ${id}`), {
      name: 'greet',
      schema: { greeting: '', todo: Todo },
    }),
  }
}
