import { Entity, schema } from '@selfsame/core'
import { RestEndpoint, createResource } from '@selfsame/core/rest'

const urlPrefix = 'https://api.example.com'

export class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

export const articleResource = createResource({
  urlPrefix,
  path: '/article/:id',
  schema: Article,
  searchParams: {} as { author?: number; text?: string },
  paginationField: 'cursor',
})

export const getFeed = new RestEndpoint({
  urlPrefix,
  path: '/feed',
  schema: { results: new schema.Collection([Article]), nextPage: '' },
  paginationField: 'page',
})
