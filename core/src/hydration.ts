export { dehydrate, hydrate } from './hydration/hydrate.js'
export type {
  DehydratedError,
  DehydratedList,
  DehydratedResult,
  DehydratedState,
} from './store/dehydrated-state.js'
