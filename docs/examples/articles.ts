import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'

export class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

export class Article extends Entity {
  id = 0
  title = ''
  author: User | undefined
  createdAt = new Date(0)
  static override key = 'Article'
  static override schema = { author: User, createdAt: Date }
}

export const articleResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/article/:id',
  schema: Article,
})
