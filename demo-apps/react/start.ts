import { runApplication } from '@selfsame/demo-shared/server'
import { start } from './server.js'

await runApplication(start)
