import * as library from '#library'
import { runSample } from './scenario.js'

// Called by the runner, which is outside of the page.
globalThis.runSample = (options) => runSample(library, options)
