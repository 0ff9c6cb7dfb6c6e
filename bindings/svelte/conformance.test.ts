import { runSuite } from '@selfsame/conformance'
import { svelteDriver } from './conformance-driver.js'

runSuite(svelteDriver)
