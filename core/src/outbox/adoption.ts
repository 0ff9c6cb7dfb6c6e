import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { MutationRequest } from '../controller/mutations.js'
import * as errors from '../errors.js'
import { warn } from '../errors.js'
import type { OutboxContext } from './context.js'
import { makeEntry } from './entry.js'
import type { Entry } from './entry.js'
import { makeRow, retryAtOf, unpackError } from './mutation-row.js'
import type { MutationRow } from './mutation-row.js'

/** What a request takes over from the one before it. */
type AdoptedRequest = Pick<MutationRequest, 'endpoint' | 'resolve' | 'reject'>

/**
 * Takes mutations that were written down: by an earlier visit, another tab, or with other arguments.
 *
 * The layers of mutations, and what their answers confirm, are in the order in which their requests began. So the requests of those
 * that are sent after one which is taken again begin anew, behind it.
 */
export class Adoption {
  readonly #context: OutboxContext
  /** The mutation whose request is made now. */
  #adopting: Entry | undefined

  constructor(context: OutboxContext) {
    this.#context = context
  }

  /** Returns the mutation whose request begins now, if it is one that was written down. */
  take(): Entry | undefined {
    const adopted = this.#adopting
    this.#adopting = undefined
    return adopted
  }

  /** Adds the mutation of a row; one that cannot be read is kept as failed. */
  add(id: string, scope: string, row: MutationRow): Entry {
    const { controller, entries, ids, places } = this.#context
    places.note(id, row.at)
    let args: readonly unknown[]
    try {
      args = ids.argsOf(row)
    } catch {
      return this.addUnreadable(id, scope, row)
    }
    const entry = makeEntry(id, scope, row, args)
    entry.written = 'yes'
    entry.isHeld = row.isHeld === true && !row.isSent
    entry.attempts = row.attempts
    entry.retryAt = retryAtOf(row, controller.clock.now())
    entries.add(entry)
    if (row.failed === null) this.#adopt(entry)
    else {
      const { reason, error } = row.failed
      Object.assign(entry, { status: 'failed', reason, error: unpackError(error) })
    }
    return entry
  }

  /** Takes a mutation again that the user, or another tab, has changed. It keeps its place. */
  replace(before: Entry, row: MutationRow): Entry {
    const { controller, entries } = this.#context
    return callsOf(controller).store.batch(() => {
      const later = this.#sentAfter(before).map((entry) => [entry, this.#end(entry)] as const)
      this.#end(before)?.reject(errors.outboxDropped(row.endpoint, 'edited'))
      entries.remove(before)
      const entry = this.add(before.id, before.scope, row)
      for (const [each, request] of later) if (request !== undefined) this.#begin(each, request)
      return entry
    })
  }

  /** The mutations that wait until one of them, or the given one, has its answer. */
  #sentAfter({ id, row }: Entry): Entry[] {
    const { entries, ids } = this.#context
    const touched = new Set(row.touches.map((each) => ids.renamed(each)))
    return entries.all.filter((entry) => {
      const touches = entry.row.touches.map((each) => ids.renamed(each))
      if (entry.id <= id || entry.status !== 'waiting' || !touches.some((each) => touched.has(each)))
        return false
      for (const each of touches) touched.add(each)
      return true
    })
  }

  /** Ends the request of a mutation. @returns what the next one takes over; `undefined` if it has no request */
  #end(entry: Entry): AdoptedRequest | undefined {
    const { mutations } = callsOf(this.#context.controller)
    const request = entry.requestId === undefined ? undefined : mutations.running.get(entry.requestId)
    if (request === undefined) return undefined
    const { endpoint, resolve, reject } = request
    request.reject = () => {}
    entry.ending = 'left'
    mutations.abandon(request)
    return { endpoint, resolve, reject }
  }

  addUnreadable(id: string, scope: string, row?: MutationRow): Entry {
    const at = Number(id.split('-')[0])
    const made = makeEntry(id, scope, row ?? makeRow(Number.isNaN(at) ? 0 : at), [])
    const error = new Error(
      development ? 'It cannot be read: another version wrote it, or it is damaged.' : 'unreadable',
    )
    Object.assign(made, { status: 'failed', reason: 'unreadable', error, written: 'yes', isKnown: false })
    warn(`The outbox keeps ${id} as failed. ${error.message}`)
    this.#context.entries.add(made)
    return made
  }

  /** Adds the mutations whose endpoints are known now. */
  adoptKnown(): void {
    const { controller, entries } = this.#context
    const unknown = entries.all.filter(({ isKnown, reason }) => !isKnown && reason === undefined)
    if (unknown.length === 0) return
    callsOf(controller).store.batch(() => {
      for (const entry of unknown) this.#adopt(entry)
    })
  }

  #adopt(entry: Entry): void {
    const { entries, registry } = this.#context
    const endpoint = registry.get(entry.row.address)
    entries.change(entry, { isKnown: endpoint !== undefined })
    // Nobody waits for it, unless it was made in this page.
    if (endpoint !== undefined && entry.requestId === undefined)
      this.#begin(entry, { endpoint, resolve() {}, reject() {} })
  }

  /** Sends a mutation through the Controller, which shows it on top. */
  #begin(entry: Entry, { endpoint, resolve, reject }: AdoptedRequest): void {
    const { mutations } = callsOf(this.#context.controller)
    this.#adopting = entry
    mutations.make(endpoint, entry.args, entry.row.temporaryId ?? undefined).then(resolve, reject)
    this.#adopting = undefined
  }
}
