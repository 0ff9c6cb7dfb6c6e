export { describeApplication } from './describe-application.js'
