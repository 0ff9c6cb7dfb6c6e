export { dehydrate, dehydrateChanges, hydrate } from './hydration/hydrate.js'
export { deserialize, serialize } from './hydration/serialize.js'
export { hydrateFromPage, stateScript } from './hydration/state-script.js'
export { errorsOf } from './hydration/failed-calls.js'
export { fetchUntilLeft } from './hydration/fetch-until-left.js'
export type {
  DehydratedError,
  DehydratedList,
  DehydratedResult,
  DehydratedState,
} from './store/hydration/dehydrated-state.js'
export type { HydrateOptions } from './hydration/hydrate.js'
export type { PageOptions, StateScriptOptions } from './hydration/state-script.js'
