/**
 * Mutations that outlast a reload. An application that does not import this ships none of it.
 *
 * @packageDocumentation
 */
export { outbox } from './outbox/outbox.js'
export type { ConflictDecision, OutboxOptions } from './outbox/outbox-options.js'
export type { Channel, Locks, Tabs } from './outbox/locks.js'
export { outboxOf } from './controller/outbox-of.js'
export type { Outbox, OutboxFailure, OutboxMutation, OutboxState } from './controller/outbox-of.js'
