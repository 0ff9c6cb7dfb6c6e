import { callsOf } from '../controller/calls-of.js'
import { warn } from '../errors.js'
import type { OutboxContext } from './context.js'
import { makeEntry } from './entry.js'
import type { Entry } from './entry.js'
import type { Places } from './places.js'
import { makeRow, unpackError } from './rows.js'
import type { MutationRow } from './rows.js'

/** Takes mutations that were written down: by an earlier visit, another tab, or with other arguments. */
export class Adoption {
  readonly #context: OutboxContext
  readonly #places: Places
  /** The mutation whose request is made now. */
  #adopting: Entry | undefined

  constructor(context: OutboxContext, places: Places) {
    this.#context = context
    this.#places = places
  }

  /** Returns the mutation whose request begins now, if it is one that was written down. */
  take(): Entry | undefined {
    const adopted = this.#adopting
    this.#adopting = undefined
    return adopted
  }

  /** Adds the mutation of a row; one that cannot be read is kept as failed. */
  add(id: string, scope: string, row: MutationRow): Entry {
    const { entries, ids } = this.#context
    this.#places.note(id, row.at)
    let args: readonly unknown[]
    try {
      args = ids.argsOf(row)
    } catch {
      return this.addUnreadable(id, scope, row)
    }
    const entry = makeEntry(id, scope, row, args)
    entry.written = 'yes'
    entry.attempts = row.attempts
    entry.retryAt = row.retryAt ?? undefined
    entries.add(entry)
    if (row.failed === null) this.#adopt(entry)
    else {
      const { reason, error } = row.failed
      Object.assign(entry, { status: 'failed', reason, error: unpackError(error) })
    }
    return entry
  }

  addUnreadable(id: string, scope: string, row?: MutationRow): Entry {
    const at = Number(id.split('-')[0])
    const made = makeEntry(id, scope, row ?? makeRow(Number.isNaN(at) ? 0 : at), [])
    const error = new Error(
      'A mutation that waits in the outbox cannot be read: another version wrote it, or it is damaged.',
    )
    Object.assign(made, { status: 'failed', reason: 'unreadable', error, written: 'yes', isKnown: false })
    warn(`${error.message} It is kept as failed (${id}).`)
    this.#context.entries.add(made)
    return made
  }

  /** Adds the mutations whose endpoints are given now. */
  adoptKnown(): void {
    const { controller, entries } = this.#context
    callsOf(controller).store.batch(() => {
      for (const entry of entries.all) if (!entry.isKnown && entry.reason === undefined) this.#adopt(entry)
    })
  }

  /** Sends a mutation through the Controller, which shows it. */
  #adopt(entry: Entry): void {
    const { controller, entries, registry } = this.#context
    const endpoint = registry.get(entry.row.endpoint)
    entries.change(entry, { isKnown: endpoint !== undefined })
    if (endpoint === undefined) return
    this.#adopting = entry
    const { mutations } = callsOf(controller)
    // Nobody waits for it.
    mutations.make(endpoint, entry.args, entry.row.temporaryId ?? undefined).catch(() => {})
    this.#adopting = undefined
  }
}
