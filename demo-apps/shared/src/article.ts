import { Entity } from '@selfsame/core'
import { User } from './user.js'

/** What a list says of an article. It is the same record as the `Article`: both have one key. */
export class ArticleSummary extends Entity {
  id = 0
  title = ''
  createdAt = new Date(0)
  author: User | null = null

  static override readonly key = 'Article'
  static override readonly schema = { createdAt: Date, author: User }
}

/** The numbers of an article, and what else to read. */
export class ArticleMeta extends Entity {
  id = 0
  viewCount = 0
  likeCount = 0
  relatedArticles: readonly ArticleSummary[] = []

  static override readonly key = 'ArticleMeta'
  static override readonly schema = { relatedArticles: [ArticleSummary] }
}

/** The whole article. Where the cache has only its summary, a read of it makes a request. */
export class Article extends ArticleSummary {
  content = ''
  contributors: readonly User[] = []
  meta = new ArticleMeta()

  static override readonly schema = {
    ...ArticleSummary.schema,
    contributors: [User],
    meta: ArticleMeta,
  }

  static override validate({ content }: Readonly<Record<string, unknown>>): string | undefined {
    return content === undefined ? 'only its summary is here' : undefined
  }
}
