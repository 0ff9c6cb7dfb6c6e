import { expireUntold } from '../controller/expire-untold.js'
import { idOf } from '../controller/known-endpoints.js'
import type { Action, RequestCall } from '../controller/middleware.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import type { Storable } from '../storage/row-storage.js'
import type { Adoption } from './adoption.js'
import type { OutboxContext } from './context.js'
import { keyOfRow } from './entry.js'
import type { Entry, Live } from './entry.js'
import { makeMutation } from './making.js'
import { idPrefix } from './mutation-row.js'
import { doneLength } from './reading.js'
import type { RowReading } from './reading.js'

/** Holds the request of each mutation until it is sent, and notes how it ends. */
export class HeldRequests {
  readonly #context: OutboxContext
  readonly #adoption: Adoption
  readonly #reading: RowReading

  constructor(context: OutboxContext, adoption: Adoption, reading: RowReading) {
    this.#context = context
    this.#adoption = adoption
    this.#reading = reading
  }

  begin({ id, endpoint, args }: { id: number; endpoint: EndpointLike; args: readonly unknown[] }): void {
    const { end, entries, registry } = this.#context
    if (end.aborted) return
    const adopted = this.#adoption.take()
    const known = registry.get(idOf(endpoint))
    const isMeant = endpoint.outbox ?? known?.outbox ?? known !== undefined
    if (adopted === undefined && !isMeant) return
    this.#context.checkScope()
    const entry = adopted ?? makeMutation(this.#context, endpoint, args, id)
    entries.beginRequest(entry, id)
  }

  request(call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    const { entries, pump } = this.#context
    // A prefix that was not known before may be computed by now.
    if (entries.all.some(({ isKnown }) => !isKnown)) queueMicrotask(pump)
    const entry = entries.ofRequest(call.id)
    if (entry === undefined)
      return this.#reading.isStarting ? this.#reading.duringStart(call.key, next) : next()
    return entry.refusal === undefined ? this.#hold(entry, call, next) : Promise.reject(entry.refusal)
  }

  /** Holds the request of a mutation until it is its turn. */
  #hold(entry: Entry, call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    const { options, pump, rows } = this.#context
    return new Promise((resolve, reject) => {
      const { idempotencyKey: header = 'Idempotency-Key' } = options
      const live: Live = {
        send: () => {
          const { key } = entry.row
          if (header !== false && key !== null) call.headers[header] = key
          return next()
        },
        resolve,
        reject,
      }
      const { signal } = call.endpoint
      const abort = () => {
        if (entry.status !== 'waiting' || entry.live !== live) return
        entry.live = undefined
        reject(signal?.reason as Error)
      }
      entry.live = live
      entry.letGo?.()
      if (entry.isHeld) void this.#takeOver(entry)
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
      void entry.writing.then(pump)
      // Its answer may have come before its request was passed on.
      if (entry.written === 'yes' && rows.channel !== undefined) this.#reading.sync()
    })
  }

  /** Waits until the tab that holds a mutation back lets it go, or is gone. */
  async #takeOver(entry: Entry): Promise<void> {
    const { lock, pump } = this.#context
    await lock.hold(entry.id)
    // It may have been taken back there.
    await this.#reading.syncNow()
    entry.isHeld = false
    pump()
  }

  /** A request has ended, with a response or an error that is stored. */
  ended(action: Extract<Action, { type: 'response' | 'error' }>): void {
    const { controller, entries, pump } = this.#context
    const entry = entries.ofRequest(action.id)
    if (entry === undefined) return
    entries.endRequest(action.id)
    // The answer may be of an earlier attempt. Without one, nobody knows what the server did.
    if (action.type === 'response' ? entry.isRepeated : entry.reason === 'answer-lost')
      expireUntold(controller, action)
    const { ending } = entry
    entry.live = undefined
    entry.requestId = undefined
    entry.ending = undefined
    if (entry.refusal !== undefined) entries.remove(entry)
    else if (ending === 'answered elsewhere') {
      entries.remove(entry)
      pump()
    } else if (ending !== 'failed' && ending !== 'left') void this.#done(entry, ending === 'answered')
  }

  /** Notes that the server has answered, in one write with the id that it gave. */
  async #done(entry: Entry, isAnswered: boolean): Promise<void> {
    const { controller, entries, lock, pump, rows } = this.#context
    const { clock } = controller
    // Its lane is closed until that is written, because it is among the entries.
    this.#noteRealId(entry)
    const { response, isRepeated } = entry
    const done = {
      response: response ?? null,
      hasResponse: response !== undefined,
      at: clock.now(),
      isRepeated,
    }
    await entry.writing
    const isToTell = isAnswered && lock.isShared
    const row = isToTell ? { ...entry.row, done } : undefined
    rows.set(keyOfRow(entry), row as unknown as Storable | undefined)
    await rows.flush()
    entries.remove(entry)
    if (isToTell) clock.setTimeout(() => this.#forgetAnswer(entry), doneLength)
    pump()
  }

  #noteRealId({ scope, row: { temporaryId } }: Entry): void {
    const { controller, ids, rows } = this.#context
    if (temporaryId === null) return
    const real = ids.note(temporaryId)
    if (real !== undefined) rows.set(idPrefix(scope) + temporaryId, { real, at: controller.clock.now() })
  }

  /** All other tabs have taken the answer, or slept too long. */
  #forgetAnswer(entry: Entry): void {
    const { end, rows } = this.#context
    if (end.aborted) return
    rows.forget(keyOfRow(entry))
    void rows.flush()
  }
}
