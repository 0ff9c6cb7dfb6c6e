export { Comment, Issue } from './entities.js'
