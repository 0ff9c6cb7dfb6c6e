export { addComment, articleResource } from '../openapi/api/index.js'
