export { allTodos } from './entities.js'
export { Todo, todoResource } from './entities.js'
