import { Entity } from '@selfsame/core'
import { User } from './user.js'

/** An article in a list. It is the same record as the `Article`: both have one key. */
export class ArticleSummary extends Entity {
  id = 0
  title = ''
  createdAt = new Date(0)
  author: User | null = null

  static override readonly key = 'Article'
  static override readonly schema = { createdAt: Date, author: User }
}

/** The counts of an article, and related articles. */
export class ArticleMeta extends Entity {
  id = 0
  viewCount = 0
  likeCount = 0
  relatedArticles: readonly ArticleSummary[] = []

  static override readonly key = 'ArticleMeta'
  static override readonly schema = { relatedArticles: [ArticleSummary] }
}

/** The full article. If only its summary is stored, reading it sends a request. */
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
