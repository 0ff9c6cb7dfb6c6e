export { todoResource } from '../migrating/data-client-todos.js'
