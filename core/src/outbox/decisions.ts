import { development } from '#development'
import { SelfsameError } from '../errors.js'
import { pack } from '../storage/pack.js'
import type { Adoption } from './adoption.js'
import type { OutboxContext } from './context.js'
import { dropNow } from './dropping.js'
import type { Entry } from './entry.js'
import { newKey } from './random.js'
import type { RowReading } from './reading.js'
import type { MutationRow } from './mutation-row.js'

/** What the user decides about mutations: retry, edit, drop. */
export class Decisions {
  readonly #context: OutboxContext
  readonly #adoption: Adoption
  readonly #reading: RowReading

  constructor(context: OutboxContext, adoption: Adoption, reading: RowReading) {
    this.#context = context
    this.#adoption = adoption
    this.#reading = reading
  }

  /** Runs a change of the user while no tab sends, with the newest rows. */
  async #decide(run: () => Promise<void>): Promise<void> {
    const { end, entries, lock, pump } = this.#context
    await lock.with(async () => {
      await Promise.all(entries.all.map(({ writing }) => writing))
      await this.#reading.syncNow()
      if (!end.aborted) await run()
    })
    pump()
  }

  retry(id: string | undefined): Promise<void> {
    const { entries } = this.#context
    this.#context.isPaused = false
    return this.#decide(async () => {
      const meant = id === undefined ? entries.all : [entries.find(id)]
      const failed = new Set<Entry>()
      for (const entry of meant)
        if (entry?.status === 'failed' && entry.reason !== 'unreadable') failed.add(entry)
      // A set grows while it is gone through.
      for (const entry of failed)
        for (const dependent of entries.dependentsOf(entry))
          if (dependent.reason === 'dependency') failed.add(dependent)
      for (const entry of entries.all) if (failed.has(entry)) await this.replace(entry, undefined)
      for (const entry of entries.all)
        if (entry.status === 'waiting') entries.change(entry, { retryAt: undefined })
    })
  }

  edit(id: string, args: readonly unknown[]): Promise<void> {
    return this.#decide(async () => {
      const entry = this.#context.entries.find(id)
      if (entry === undefined) return
      if (entry.status === 'sending' || (entry.status === 'waiting' && entry.row.isSent))
        throw new SelfsameError(
          'argument-invalid',
          development
            ? `${entry.row.endpoint} cannot be edited: it was sent, so the server may have it. Wait for its response.`
            : entry.row.endpoint,
        )
      await this.replace(entry, args)
    })
  }

  /** Sends a mutation anew, with other arguments. The server has not done it, so it gets another key. */
  async replace(entry: Entry, args: readonly unknown[] | undefined): Promise<void> {
    const { entries, rows } = this.#context
    const packed = args === undefined ? entry.row.args : await pack(args)
    if (!entries.all.includes(entry)) return
    const isNew = entry.status === 'failed'
    const row: MutationRow = {
      ...entry.row,
      args: packed,
      edits: entry.row.edits + 1,
      key: isNew && entry.row.key !== null ? newKey() : entry.row.key,
      isSent: entry.status === 'failed' ? false : entry.row.isSent,
      attempts: 0,
      retryAt: null,
      failed: null,
    }
    await rows.save(this.#adoption.replace(entry, row))
  }

  drop(id: string | undefined): Promise<void> {
    const context = this.#context
    const { entries, rows } = context
    return this.#decide(async () => {
      const meant = id === undefined ? entries.all : [entries.find(id)]
      for (const entry of meant)
        if (entry !== undefined && entry.status !== 'sending') dropNow(context, entry, 'dropped')
      await rows.flush()
    })
  }
}
