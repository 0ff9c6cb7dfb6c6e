export { Todo, todoResource } from './entities.js'
export { getStatistics, uploadFile } from './entities.js'
export type { Statistics } from './entities.js'
export { comments, Comment, Task, taskResource } from '../guides/comments.js'
