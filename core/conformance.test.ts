import { runSuite } from '@selfsame/conformance'
import { controllerDriver } from './conformance-driver.js'

runSuite(controllerDriver)
