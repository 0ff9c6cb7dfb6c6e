import * as library from '#library'
import { runSample } from './scenario.js'

// The runner calls it from outside of the page.
globalThis.runSample = (options) => runSample(library, options)
