/** The errors that a binding raises by itself: a namespace of only these, so that a bundle has no other texts with them. */
export { development } from '#development'
export { controllerRemade, dataMissing, notAnEndpoint, providerMissing, readOnce, warn } from '../errors.js'
