export { dehydrate, hydrate } from './hydration/hydrate.js'
export type {
  DehydratedError,
  DehydratedList,
  DehydratedResult,
  DehydratedState,
} from './store/hydration/dehydrated-state.js'
