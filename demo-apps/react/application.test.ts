import { describeApplication } from '@selfsame/demo-shared/e2e'
import { start } from './server.js'

describeApplication('React', start)
