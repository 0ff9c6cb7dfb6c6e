export { Article, ArticleMeta, ArticleSummary } from './article.js'
export { User } from './user.js'
export { createApi } from './api.js'
export type { Api, ApiOptions, ArticleBody, UserBody } from './api.js'
