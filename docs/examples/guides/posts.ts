// posts.ts
import { Counted, Entity, schema } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'

const urlPrefix = 'https://api.example.com'

export class Author extends Entity {
  id = 0
  name = ''
  static override key = 'Author'
}

export class Post extends Entity {
  id = 0
  title = ''
  authorId = 0
  static override key = 'Post'
}

export const authorResource = createResource({
  urlPrefix,
  path: '/author/:id',
  schema: Author,
})

const posts = createResource({ urlPrefix, path: '/post/:id', schema: Post })

export const postResource = posts.extend(({ getList }) => ({
  // Answers with { "items": [...], "nextCursor": "b", "total": 57 }
  getList: getList.extend({
    schema: new Counted(
      { items: new schema.Collection([Post]), nextCursor: '', total: 0 },
      'total',
    ),
    paginationField: 'cursor',
  }),
}))
