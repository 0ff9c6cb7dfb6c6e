// Scenarios, registered in the order of the table.
import './scenarios/expiry.js'
import './scenarios/policies.js'
import './scenarios/null-args.js'
import './scenarios/several-reads.js'
import './scenarios/several-states.js'
import './scenarios/dedupe.js'
import './scenarios/resuspension.js'
import './scenarios/shared-entities.js'
import './scenarios/summaries.js'
import './scenarios/mutations.js'
import './scenarios/all-calls.js'
import './scenarios/optimistic.js'
import './scenarios/order.js'
import './scenarios/doubt.js'
import './scenarios/pushed.js'
import './scenarios/conditional.js'
import './scenarios/pagination.js'
import './scenarios/read-your-writes.js'
import './scenarios/totals.js'
import './scenarios/infinite.js'
import './scenarios/both-directions.js'
import './scenarios/collections.js'
import './scenarios/list-arguments.js'
import './scenarios/nested-arguments.js'
import './scenarios/sent-arguments.js'
import './scenarios/renamed.js'
import './scenarios/expected-lists.js'
import './scenarios/list-rules.js'
import './scenarios/unloaded.js'
import './scenarios/maintained.js'
import './scenarios/loaded.js'
import './scenarios/unreadable.js'
import './scenarios/queries.js'
import './scenarios/use-query.js'
import './scenarios/errors.js'
import './scenarios/healing.js'
import './scenarios/navigation.js'
import './scenarios/use-dle.js'
import './scenarios/fetching-pitfalls.js'
import './scenarios/lifecycle.js'
import './scenarios/components.js'
import './scenarios/aborts.js'
import './scenarios/undo.js'
import './scenarios/union-mutations.js'
import './scenarios/late-pages.js'
import './scenarios/bulk-mutations.js'
import './scenarios/wrapped-mutations.js'
import './scenarios/unnamed.js'
import './scenarios/authentication.js'
import './scenarios/progress.js'
import './scenarios/polling.js'
import './scenarios/middleware.js'
import './scenarios/outbox.js'
import './scenarios/offline-trees.js'
import './scenarios/fetch-together.js'
import './scenarios/live.js'
import './scenarios/small-hooks.js'
import './scenarios/reader-options.js'
import './scenarios/warnings.js'
import './scenarios/why-states.js'
import './scenarios/why.js'
import './scenarios/legacy.js'
import './scenarios/failing-scenario.js'
import './server-rendering/scenarios.js'

export type {
  App,
  Arrangement,
  Driver,
  HookArgs,
  LegacyHook,
  OnScreen,
  ReadHook,
  ReadTarget,
  Reader,
  SmallHook,
} from './contract.js'
export { PageAround, argsNow, latestPages, remade, shapeOf } from './contract.js'
export { ManualClock } from './clock.js'
export * from './fixtures.js'
export { ManualNetwork, ManualPage } from './surroundings.js'
export { Server, baseUrl, reply } from './server.js'
export type { Reply, ServerRequest } from './server.js'
export { listenersOf, retainersOf, runSuite } from './suite.js'
export { runServerSuite } from './server-rendering/suite.js'
export type {
  HydratedPage,
  Screen,
  ScreenPart,
  ServedPage,
  ServerDriver,
  ServerHook,
} from './server-rendering/contract.js'
