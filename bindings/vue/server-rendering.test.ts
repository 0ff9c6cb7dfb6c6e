import { runServerSuite } from '@selfsame/conformance'
import { serverDriver } from './server-rendering-driver.js'

runServerSuite(serverDriver)
