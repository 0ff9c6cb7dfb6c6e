export { Details, Rows } from '../migrating/parts.js'
