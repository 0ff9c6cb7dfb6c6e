import { Entity, schema } from '@selfsame/core'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { urlPrefix } from '../url-prefix.js'

export class User extends Entity {
  id = 0
  name = ''
  static override readonly key = 'User'
}

export class ArticleSummary extends Entity {
  id = 0
  title = ''
  createdAt = new Date(0)
  author: User | null = null
  static override readonly key = 'Article'
  static override readonly schema = { createdAt: Date, author: User }
}

export class Article extends ArticleSummary {
  content = ''
  static override validate({ content }: Readonly<Record<string, unknown>>) {
    return content === undefined ? 'only its summary is here' : undefined
  }
}

const summaries = new schema.Collection([ArticleSummary])
const expanded = { searchParams: { expand: 'author' } } as const
const filtered = { searchParams: { expand: 'author', author: undefined as number | undefined, q: '' } }

export const userResource = createResource({ urlPrefix, path: '/user/:id', schema: User })

export const articleResource = createResource({
  urlPrefix,
  path: '/article/:id',
  schema: Article,
  optimistic,
}).extend(({ get, getList, create, partialUpdate }) => ({
  get: get.extend(expanded),
  getList: getList.extend({ ...filtered, schema: summaries }),
  create: create.extend({ ...expanded, schema: summaries.push }),
  partialUpdate: partialUpdate.extend(expanded),
}))
