import { runSuite } from '@selfsame/conformance'
import { driver } from './conformance-driver.js'

runSuite(driver)
