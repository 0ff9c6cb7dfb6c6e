/**
 * Tabs that agree on what they received. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { syncTabs } from './tabs/sync-tabs.js'
export type { SyncTabsOptions, TabChannel, TabLocks } from './tabs/tab-options.js'
