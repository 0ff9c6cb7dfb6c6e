/**
 * The API for bindings; an application imports its binding instead. Unlike the other entries, this one may change in
 * minor versions.
 */
import * as errors from './observer/binding-errors.js'

// The calls of a Controller.
export { callsOf } from './controller/calls.js'
export type { Calls } from './controller/calls.js'
export { Hold } from './controller/reads.js'

// Readers of one call.
export { Observer, dataIn, readyWithNothing, stateOfLoading } from './observer/observer.js'
export type { CachedReading, Reading } from './observer/observer.js'
export { promiseOf } from './observer/promise-of.js'
export { endRepeat, repeat } from './observer/repeat.js'
export { Selection } from './observer/selection.js'
export { Cancelling } from './observer/cancelling.js'
export { Prefetch } from './observer/prefetch.js'
export type { EndAttachment } from './observer/prefetch.js'
export { awaitedOnServer } from './observer/awaited-on-server.js'
export { activityOf } from './observer/activity.js'
export { isFetching, refetch } from './observer/asked.js'
export type { Asking } from './observer/asked.js'
export { statusOfCall, unknownStatus, watchExpiry } from './observer/call-status.js'
export { emptyOutbox, outboxOf } from './controller/outbox-of.js'
export type { OutboxState } from './controller/outbox-of.js'
export { LatestRun } from './observer/latest-run.js'
export { endpointOf, queryWithOptions as queryOf } from './observer/reader-options.js'
export { keepingPrevious, withOptionsBy } from './observer/with-options.js'
export type { QueryCall } from './schema/query-of.js'

// Readers of several calls.
export { ObserverGroup, keyOfCalls, nameOfCalls } from './observer/observer-group.js'
export type { GroupState } from './observer/states-group.js'
export { StatesGroup } from './observer/states-group.js'
export type { Followed, Watched } from './observer/observer-group.js'
export { PagesObserver, pagesOfLoading } from './observer/pages-observer.js'

// Boundaries, and the arguments of readers.
export { Boundary, takeBackError } from './observer/boundary.js'
export { toCaughtError } from './errors.js'
export type { BoundarySnapshot } from './observer/boundary.js'
export { keepPlace } from './observer/place.js'
export { plainOf } from './observer/reactive-args.js'
export type {
  GivenIn,
  Holding,
  KnownReactiveArg,
  KnownReactiveArgs,
  PlainArgs,
  Reactive,
  ReactiveArgs,
} from './observer/reactive-args.js'
export { errors }

// Pages that a server renders.
export { answerOf } from './controller/page-answer.js'
export type { PageAnswer, PageAnswers, Redirects } from './controller/page-answer.js'

// What a framework does with shared data.
export { markShared } from './util/shared-data.js'

// A literal in each built file that imports it.
export { development } from './util/development.js'
