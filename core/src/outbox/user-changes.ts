import { development } from '#development'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import { endEpoch, epochOf } from '../platform/end-mark.js'
import { outboxOwner, scopeNow } from './context.js'
import type { OutboxContext } from './context.js'
import { dropNow } from './dropping.js'
import { toOutboxMutation } from './entry.js'
import { idPrefix, rowPrefix } from './mutation-row.js'
import type { RowReading } from './reading.js'

/** Follows the user: the mutations of the one who is signed in are shown and sent. */
export class UserChanges {
  readonly #context: OutboxContext
  readonly #reading: RowReading

  constructor(context: OutboxContext, reading: RowReading) {
    this.#context = context
    this.#reading = reading
  }

  check(): void {
    const { end, options, scope } = this.#context
    if (scopeNow(options) === scope || end.aborted) return
    this.leave('signed out')
    this.enter()
  }

  /** The mutations of the scope are shown and sent no more. @param why - unless the Controller ends their requests */
  leave(why?: errors.DropReason): void {
    const { entries, ids, options, scope } = this.#context
    const { all } = entries
    if (options.scope === undefined && this.#isToDrop()) {
      for (const entry of all) entry.ending = 'left'
      void this.deleteScope(scope)
    }
    entries.clear()
    ids.clear()
    for (const entry of all) {
      const { live } = entry
      entry.live = undefined
      if (why !== undefined) live?.reject(errors.outboxDropped(entry.row.endpoint, why))
    }
  }

  /** Without a scope nobody knows whose mutations they are. @returns `true` if they are not kept */
  #isToDrop(): boolean {
    const { entries, options, rows, scope } = this.#context
    // Another tab has ended the epoch.
    if (scopeNow(options) !== scope) return true
    const { length } = entries.all
    // Rows that were not read yet are dropped or kept like those that were.
    const isAny = length > 0 || !this.#reading.isRead
    const decision = (isAny && options.onReset?.(entries.all.map(toOutboxMutation))) || 'drop'
    if (decision !== 'drop') return false
    if (!rows.isVolatile) endEpoch(outboxOwner(options.name), 'outboxOf(controller).written()')
    if (length > 0 && options.onReset === undefined)
      warn(
        `resetAll() dropped ${length} of the mutations in the outbox.${development ? ' Give outbox() a `scope` to keep them for their user, or `onReset` to decide.' : ''}`,
      )
    return true
  }

  /** Shows the mutations of the scope that there is now. */
  enter(): void {
    const context = this.#context
    const { scope } = context.options
    context.scope = scopeNow(context.options)
    if (scope === undefined || scope() !== undefined) context.lastUsers = context.scope
    context.isPaused = false
    this.#reading.restart()
    void this.sweep()
  }

  /**
   * Deletes what nobody needs of other scopes: rows with an answer, and those of an ended epoch.
   *
   * @param isStart - ids go too, where nothing waits that may name them
   */
  async sweep(isStart = false): Promise<void> {
    const { end, options, rows, scope } = this.#context
    if (end.aborted) return
    // The name of a user is no less than any epoch.
    const epoch = epochOf(outboxOwner(options.name))
    const isEnded = (of: string) => options.scope === undefined && of < epoch
    const used = new Set<string>()
    await rows.sweep(rowPrefix(scope), (of, row) => {
      if (isEnded(of) || (row as { readonly done?: unknown } | null)?.done) return true
      used.add(of)
      return false
    })
    await rows.sweep(idPrefix(scope), (of) => isEnded(of) || (isStart && !used.has(of)))
  }

  async deleteScope(scope: string): Promise<void> {
    const context = this.#context
    if (scope === context.scope) for (const entry of context.entries.all) dropNow(context, entry, 'dropped')
    await context.rows.deleteAll(rowPrefix(scope), idPrefix(scope))
  }
}
