import { Endpoint, Entity, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'

// The records that the guides speak of besides todos.

export class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

export class Label extends Entity {
  id = 0
  name = ''
  static override key = 'Label'
}

export class Issue extends Entity {
  id = 0
  title = ''
  state = ''
  votes = 0
  createdAt = new Date(0)
  static override key = 'Issue'
  static override schema = { createdAt: Date }
}

export class Comment extends Entity {
  id = 0
  issueId = 0
  text = ''
  static override key = 'Comment'
}

export class Article extends Entity {
  id = 0
  title = ''
  content = ''
  author = 0
  static override key = 'Article'
}

export class Post extends Entity {
  id = 0
  title = ''
  static override key = 'Post'
}

export const articleResource = createResource({
  path: '/article/:id',
  schema: Article,
  searchParams: {} as { author?: number; text?: string } | undefined,
  paginationField: 'cursor',
})

export const invoiceResource = createResource({
  path: '/invoice/:id',
  schema: Post,
})

/** A todo of a list by its user, with votes. */
export class Todo extends Entity {
  id = 0
  userId = 0
  title = ''
  completed = false
  votes = 0
  static override key = 'Todo'
}

export const todoResource = createResource({ path: '/todo/:id', schema: Todo })

export const allTodos = new schema.All(Todo)

export type Statistics = { readonly open: number }

export const getStatistics = new RestEndpoint({
  path: '/statistics',
  schema: {} as Statistics,
})

export const uploadFile = new RestEndpoint({
  path: '/file',
  method: 'POST',
  body: {} as File,
})

export const getCount = new RestEndpoint({
  path: '/count',
  schema: {} as { open: number },
})

export class Secret extends Entity {
  id = 0
  static override key = 'Secret'
}

export const getBalance = new RestEndpoint({ path: '/balance' })

export const sendInvoice = new RestEndpoint({
  path: '/invoice/:id/send',
  method: 'POST',
  body: undefined,
  sideEffect: true,
})

export const rename = new RestEndpoint({
  path: '/todo/:id/rename',
  method: 'POST',
  body: undefined,
  schema: Todo,
})

export const search = new Endpoint(
  async (text: string, limit: number) => [text, limit],
  { name: 'search' },
)
