import { Controller, Endpoint, Entity, Query, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { describe, expect, expectTypeOf, test } from 'vitest'

// The samples of docs/data-model.md.

test('a record joins others, converts fields and has members of its class', () => {
  class User extends Entity {
    id = 0
    name = ''
    isAdmin = false
    static override key = 'User'
  }

  class Article extends Entity {
    slug = ''
    title = ''
    author: User | undefined
    contributors: User[] = []
    createdAt = new Date(0)

    override pk() {
      return this.slug
    }

    static override key = 'Article'
    static override schema = {
      author: User,
      contributors: [User],
      createdAt: Date,
    }

    get byline() {
      return `${this.title}, by ${this.author?.name}`
    }
  }

  const controller = new Controller()
  controller.set(User, { id: 1 }, { name: 'Ann' })
  const fields = { slug: 'a', title: 'A', author: 1, createdAt: '2024-01-02' }
  controller.set(Article, { slug: 'a' }, fields as never)
  const article = controller.get(Article, { slug: 'a' })
  expect(article?.byline).toBe('A, by Ann')
  expect(article?.createdAt).toEqual(new Date('2024-01-02'))
  expect(article?.author?.isAdmin).toBe(false)
})

test('a detail read of a record that came as a summary fetches the full one', () => {
  class ArticleSummary extends Entity {
    id = 0
    title = ''
    static override key = 'Article'
  }

  class Article extends ArticleSummary {
    content = ''
    static override validate(record: { content?: string }) {
      return record.content === undefined ? 'content is missing' : undefined
    }
  }

  const articleResource = createResource({
    path: '/article/:id',
    schema: Article,
  })
  const getSummaries = articleResource.getList.extend({
    schema: new schema.Collection([ArticleSummary]),
  })

  const controller = new Controller()
  controller.setResponse(getSummaries, [{ id: 5, title: 'a' }])
  expect(controller.read(articleResource.get, { id: 5 }).status).toBe('Invalid')
  controller.setResponse(
    articleResource.get,
    { id: 5 },
    { id: 5, content: 'b' },
  )
  expect(controller.read(articleResource.get, { id: 5 }).data).toMatchObject({
    title: 'a',
    content: 'b',
  })
})

describe('todos', () => {
  class Todo extends Entity {
    id = 0
    userId = 0
    title = ''
    completed = false
    static override key = 'Todo'
  }

  const todos = new schema.Collection([Todo], {
    nonFilterArgumentKeys: ['view'],
  })
  const getTodos = new RestEndpoint({
    path: '/todo',
    searchParams: {} as { userId?: number },
    schema: todos,
  })
  const addFirst = getTodos.extend({
    method: 'POST',
    body: {} as Partial<Todo>,
    schema: todos.unshift,
  })

  test('a mutation adds its record to the lists that it belongs to', () => {
    const controller = new Controller()
    controller.setResponse(getTodos, { userId: 1 }, [{ id: 1, userId: 1 }])
    controller.setResponse(getTodos, { userId: 2 }, [])
    controller.setResponse(addFirst, {}, {}, { id: 2, userId: 1 })
    expect(
      controller.read(getTodos, { userId: 1 }).data?.map(({ id }) => id),
    ).toEqual([2, 1])
    expect(controller.read(getTodos, { userId: 2 }).data).toEqual([])
  })

  test('a query computes a value from the cache', () => {
    const controller = new Controller()
    controller.setResponse(getTodos, {}, [
      { id: 1, userId: 1 },
      { id: 2, userId: 2 },
      { id: 3, userId: 1, completed: true },
    ])
    const openTodos = new Query(
      new schema.All(Todo),
      (todos, { userId }: { userId: number }) =>
        todos.filter((todo) => !todo.completed && todo.userId === userId),
    )
    expect(
      controller.get(openTodos, { userId: 1 })?.map(({ id }) => id),
    ).toEqual([1])
    controller.get(openTodos, { userId: 1 })
  })

  test('a call reads the list of a record that has the same Collection', () => {
    class User extends Entity {
      id = 0
      todos: Todo[] = []
      static override key = 'User'
    }
    const todoResource = createResource({ path: '/todo/:id', schema: Todo })
    const userTodos = new schema.Collection([Todo], {
      nestKey: (user) => ({ userId: user.id }),
    })
    User.schema = { todos: userTodos }
    const getTodosOf = todoResource.getList.extend({ schema: userTodos }) // getTodosOf({ userId: 1 }) is the list of user 1
    const controller = new Controller()
    controller.setResponse(
      new RestEndpoint({ path: '/user/:id', schema: User }),
      { id: 1 },
      {
        id: 1,
        todos: [{ id: 5, userId: 1 }],
      },
    )
    controller.setResponse(
      todoResource.create,
      { userId: 1 },
      { id: 6, userId: 1 },
    )
    expect(
      controller.read(getTodosOf, { userId: 1 }).data?.map(({ id }) => id),
    ).toEqual([5, 6])
    expect(controller.get(User, { id: 1 })?.todos).toBe(
      controller.read(getTodosOf, { userId: 1 }).data,
    )
  })
})

test('a response holds what its schema names, or says that it may be missing', async () => {
  class Article extends Entity {
    id = 0
    title = ''
    static override key = 'Article'
  }
  let answer: object = { article: { id: 1, title: 'A' } }
  const fetchStory = () => Promise.resolve(answer)

  const getStory = new Endpoint(fetchStory, {
    name: 'getStory',
    schema: {
      article: Article,
      related: schema.Optional([Article], []),
      draft: schema.Optional(Article),
      next: '',
    },
  })
  // { article: Article; related: Article[]; draft: Article | undefined; next:
  // string }

  const controller = new Controller()
  const story = await controller.fetch(getStory)
  expect(story).toEqual({
    article: { id: 1, title: 'A' },
    related: [],
    next: '',
  })
  expectTypeOf(story.article).toEqualTypeOf<Article>()
  expectTypeOf(story.related).toEqualTypeOf<Article[]>()
  expectTypeOf(story.draft).toEqualTypeOf<Article | undefined>()
  expectTypeOf(story.next).toEqualTypeOf<string>()
  answer = { error: 'busy' }
  await expect(controller.fetch(getStory)).rejects.toMatchObject({
    code: 'payload-unusable',
    status: 400,
  })
  expect(controller.read(getStory)).toMatchObject({
    data: story,
    error: { code: 'payload-unusable' },
  })
})
