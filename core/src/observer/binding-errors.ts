/**
 * The errors that bindings throw themselves: a namespace of only these, so that a bundle does not have the texts of
 * others.
 */
export {
  controllerRemade,
  dataMissing,
  notAnEndpoint,
  paramIsRef,
  providerMissing,
  readOnce,
  warn,
} from '../errors.js'
