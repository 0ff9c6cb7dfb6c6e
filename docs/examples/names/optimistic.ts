export { Todo, todoResource } from './entities.js'
export { getCount } from './entities.js'
