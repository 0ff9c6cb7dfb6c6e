export { Article, User } from '../legacy/article.js'
export { Todo } from '../legacy/todo.js'
export { Resource } from '@selfsame/core/legacy'
