export { Label, User } from './entities.js'
