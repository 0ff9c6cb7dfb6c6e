import { Controller, Entity } from '@selfsame/core'
import type { ArgsOf, DataOf, Denormalize } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { serve } from './testing-network.js'

// The samples of docs/typescript.md.

afterEach(() => vi.unstubAllGlobals())

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Label extends Entity {
  id = 0
  name = ''
  static override key = 'Label'
}

class Comment extends Entity {
  id = 0
  text = ''
  static override key = 'Comment'
}

class Todo extends Entity {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
}

const todoResource = createResource({
  path: '/:group/todo/:id',
  schema: Todo,
  searchParams: { author: undefined as number | undefined },
})

const rename = todoResource.partialUpdate.extend({
  body: {} as { title: string },
})

test('types follow from the path and the class', async () => {
  serve({
    'GET /a/todo/5': { id: 5, title: 'Write' },
    'GET /a/todo': [{ id: 5, title: 'Write' }],
  })
  const controller = new Controller()
  const todo = await controller.fetch(todoResource.get, { group: 'a', id: 5 })
  const todos = await controller.fetch(todoResource.getList, {
    group: 'a',
    author: 2,
  })
  expectTypeOf(todo).toEqualTypeOf<Todo>()
  expectTypeOf(todos[0]!).toEqualTypeOf<Todo>()
  expect(todos).toEqual([todo])
})

test('wrong params do not compile', () => {
  void (() => {
    // @ts-expect-error the path has an id
    todoResource.get({ group: 'a' })
    // @ts-expect-error an author is a number
    todoResource.getList({ group: 'a', author: 'Ada' })
  })
  expect(todoResource.get.key({ group: 'a', id: 5 })).toBe('GET /a/todo/5')
})

test('fields have the types of their defaults, and become what the schema says', async () => {
  class Issue extends Entity {
    id = 0
    state: 'open' | 'closed' = 'open'
    author: User | undefined
    labels: Label[] = []
    createdAt = new Date(0)
    static override key = 'Issue'
    static override schema = { author: User, labels: [Label], createdAt: Date }
  }

  serve({
    'GET /issue/1': {
      id: 1,
      author: { id: 2, name: 'Ada' },
      createdAt: '2026-01-01T00:00:00Z',
    },
  })
  const issues = createResource({ path: '/issue/:id', schema: Issue })
  const issue = await new Controller().fetch(issues.get, { id: 1 })
  expectTypeOf(issue.state).toEqualTypeOf<'open' | 'closed'>()
  expect([
    issue.author?.name,
    issue.createdAt.getFullYear(),
    issue.labels,
  ]).toEqual(['Ada', 2026, []])
})

test('bodies are typed by an example', async () => {
  const addComment = new RestEndpoint({
    path: '/issue/:issueId/comment',
    method: 'POST',
    body: {} as { text: string },
    schema: Comment,
  })

  const requests = serve({
    'POST /issue/5/comment': { id: 1, text: 'Yes' },
    'PATCH /a/todo/5': { id: 5, title: 'x' },
  })
  const controller = new Controller()
  await controller.fetch(addComment, { issueId: 5 }, { text: 'Yes' })
  await controller.fetch(rename, { group: 'a', id: 5 }, { title: 'x' })
  expect(requests.map(({ line }) => line)).toEqual([
    'POST /issue/5/comment',
    'PATCH /a/todo/5',
  ])
})

test('types have names', () => {
  type TodoData = DataOf<typeof todoResource.get>
  type TodoArgs = ArgsOf<typeof todoResource.get>
  type Page = Denormalize<{ items: (typeof Todo)[]; total: number }>
  expectTypeOf<TodoData>().toEqualTypeOf<Todo>()
  expectTypeOf<{ group: string; id: number }>().toExtend<TodoArgs[0]>()
  expectTypeOf<Page['items'][number]>().toEqualTypeOf<Todo>()
})
