export { Todo, todoResource } from './entities.js'
export { getCount } from './entities.js'
export { noteResource } from '../guides/notes.js'
export { getMe } from '../session.js'
