/**
 * What bindings are made of: an application imports its binding instead. Unlike the other entries this one changes in minor
 * versions.
 */

// The calls of a Controller.
export { callsOf } from './controller/calls-of.js'
export type { Calls } from './controller/calls.js'
export { Hold } from './controller/request.js'

// One call, watched.
export { Observer, stateOfLoading } from './observer/observer.js'
export type { Reading } from './observer/observer.js'
export { promiseOf } from './observer/promise-of.js'
export { Selection } from './observer/selection.js'
export { Cancelling } from './observer/cancelling.js'
export { Prefetch } from './observer/prefetch.js'
export type { EndAttachment } from './observer/prefetch.js'
export { lastState, lastStateOfLoading, loadLast } from './observer/last-state.js'
export { statusOfCall, unknownStatus, watchExpiry } from './observer/call-status.js'
export { LatestRun } from './observer/latest-run.js'
export { queryOf } from './schema/query-of.js'
export type { QueryCall } from './schema/query-of.js'

// Several calls, watched.
export { ObserverGroup, keyOfCalls, nameOfCalls } from './observer/observer-group.js'
export type { Followed, Watched } from './observer/observer-group.js'
export { PagesObserver, pagesOfLoading } from './observer/pages-observer.js'

// What stands around readers.
export { Boundary, toCaughtError } from './observer/boundary.js'
export type { BoundarySnapshot } from './observer/boundary.js'
export { plainOf } from './observer/reactive-args.js'
export type { GivenIn, Holding, PlainArgs, Reactive, ReactiveArgs } from './observer/reactive-args.js'
export * as errors from './observer/binding-errors.js'
