import { retryAfterOf, backoff } from '../controller/retry-delay.js'
import { callsOf } from '../controller/calls.js'
import type { OutboxFailure } from '../controller/outbox-of.js'
import { isNetworkError, isTransientError } from '../controller/transient-errors.js'
import type { EndpointLike } from '../endpoint/endpoint.js'
import * as errors from '../errors.js'
import { toError } from '../errors.js'
import { pack } from '../storage/pack.js'
import type { Storable } from '../storage/row-storage.js'
import { longestWait } from '../util/clock.js'
import type { OutboxContext } from './context.js'
import type { Decisions } from './decisions.js'
import { dropIfHeard, dropNow } from './dropping.js'
import { endLive, keyOfRow, toOutboxMutation } from './entry.js'
import type { Entry } from './entry.js'
import { newKey } from './random.js'
import { packError } from './mutation-row.js'

/** Sends a mutation once, and decides what becomes of it. */
export class Attempts {
  readonly #context: OutboxContext
  readonly #decisions: Decisions
  readonly #waitAfter: (attempt: number, error: Error) => number

  constructor(context: OutboxContext, decisions: Decisions) {
    this.#context = context
    this.#decisions = decisions
    this.#waitAfter = context.options.delayMs ?? backoff(Math.random)
  }

  async send(entry: Entry): Promise<void> {
    const { entries, lock, pump } = this.#context
    const { live, row } = entry
    if (live === undefined) return
    entries.change(entry, { status: 'sending', attempts: entry.attempts + 1, retryAt: undefined })
    const endListening = this.#followProgress(entry)
    try {
      if (!(await this.#noteSent(entry)) || entry.live !== live) return
      const payload = await live.send().catch((error: unknown) => this.#doneOf(entry, error))
      if (entry.live !== live) {
        await this.#answeredLate(entry)
        return
      }
      entry.response = lock.isShared ? await packIfPossible(payload) : undefined
      // While it was packed, another tab's answer may have come.
      if (entry.live !== live) return
      entry.ending = 'answered'
      live.resolve(payload)
    } catch (thrown) {
      if (entry.live === live) await this.#failedOnce(entry, toError(thrown, row.endpoint), row.isSent)
    } finally {
      endListening()
      pump()
    }
  }

  /**
   * Returns the payload of a deletion whose record the server does not have: it is done. What may still be there is asked for, as after
   * a second attempt.
   *
   * @throws any other error
   */
  #doneOf(entry: Entry, error: unknown): null {
    const { method } = Object(this.#context.registry.get(entry.row.address)) as { method?: unknown }
    const { status } = Object(error) as { status?: unknown }
    if (method !== 'DELETE' || (status !== 404 && status !== 410)) throw error
    entry.isRepeated = true
    return null
  }

  /** Writes down that the server may have it. @returns `false` if it is not to be sent, because the server may have it already */
  async #noteSent(entry: Entry): Promise<boolean> {
    const { key, isSent } = entry.row
    entry.isRepeated = key !== null && isSent
    // It was sent in an earlier visit.
    const isUnknown = key === null && isSent && entry.error === undefined
    if (isUnknown && !(await this.#isToResend(entry))) return false
    if (isSent) return true
    entry.row = { ...entry.row, isSent: true }
    const saved = this.#context.rows.save(entry)
    // Without a key it must be known after a crash that the server may have it.
    if (key === null) await saved
    return true
  }

  #followProgress(entry: Entry): () => void {
    const { controller, entries, registry } = this.#context
    const endpoint = registry.get(entry.row.address)
    if (endpoint === undefined) return () => {}
    try {
      const call = callsOf(controller).call(endpoint, entry.args)
      const listen = () => entries.change(entry, { progress: call.snapshot().progress })
      call.listen(listen)
      return () => call.unlisten(listen)
    } catch {
      // Its key cannot be built: it will fail for that.
      return () => {}
    }
  }

  /** The answer came after a reset. What waits for a real id needs it again, by the same key. */
  async #answeredLate(entry: Entry): Promise<void> {
    const { rows } = this.#context
    if (entry.ending === 'answered elsewhere') return
    if (entry.row.temporaryId !== null && entry.row.key !== null) return
    rows.set(keyOfRow(entry), undefined)
    await rows.flush()
  }

  /** @param wasSent - `true` if the server may have answered an earlier attempt */
  async #failedOnce(entry: Entry, error: Error, wasSent: boolean): Promise<void> {
    const { status, code } = error as { status?: unknown; code?: unknown }
    if (code === 'create-failed') return this.#fail(entry, 'dependency', error)
    const { isTransient = isTransientError, sessionStatuses = [401] } = this.#context.options
    if (sessionStatuses.includes(status as number)) return this.#pause(entry, error, wasSent)
    // A portal of a network answers for the server, with a page and status 200.
    const isPage = code === 'body-unexpected'
    if (isTransient(error) || isPage) {
      // A gateway that has waited too long says 5xx, whatever the server behind it does.
      if (entry.row.key === null && (isNetworkError(error) || isPage || (status as number) >= 500)) {
        this.#context.entries.change(entry, { error })
        if (!(await this.#isToResend(entry))) return
      }
      this.#later(entry, error)
    } else if (status === 409 || status === 412) await this.#conflicted(entry, error)
    else if (!dropIfHeard(this.#context, entry, error)) this.#fail(entry, 'refused', error)
  }

  /** The session is over: the server has not done the mutation. */
  #pause(entry: Entry, error: Error, isSent: boolean): void {
    const { entries, rows } = this.#context
    this.#context.isPaused = true
    entries.change(entry, { status: 'waiting', error, progress: undefined })
    entry.row = { ...entry.row, isSent }
    void rows.save(entry)
  }

  #later(entry: Entry, error: Error): void {
    const { controller, entries, rows } = this.#context
    const { clock } = controller
    const wantedMs = Math.max(0, retryAfterOf(error, clock.now()), this.#waitAfter(entry.attempts, error))
    const waitMs = Math.min(longestWait, wantedMs)
    const retryAt = clock.now() + waitMs
    entries.change(entry, { status: 'waiting', error, retryAt, progress: undefined })
    entry.row = { ...entry.row, attempts: entry.attempts, retryAt, waitMs }
    void rows.save(entry)
  }

  /** Asks what to do with a mutation that may be done. @returns `false` if not to send it */
  async #isToResend(entry: Entry): Promise<boolean> {
    const { options, registry } = this.#context
    const { live } = entry
    const { onUnknown = resendIfHarmless(registry.get(entry.row.address)) } = options
    const decision = await onUnknown(toOutboxMutation(entry))
    if (entry.live !== live) return false
    if (decision === 'resend') return true
    const error = entry.error ?? new Error(`${entry.row.endpoint} was sent, and its answer was lost.`)
    if (decision === 'drop') {
      // What it may have changed becomes Stale.
      entry.reason = 'answer-lost'
      dropNow(this.#context, entry, error)
    } else this.#fail(entry, 'answer-lost', error)
    return false
  }

  async #conflicted(entry: Entry, error: Error): Promise<void> {
    const { entries, options } = this.#context
    const { live } = entry
    entries.change(entry, { error })
    const { body } = error as { body?: unknown }
    const decision = await options.onConflict?.(toOutboxMutation(entry), body, entry.args.at(-1))
    if (entry.live !== live) return
    if (decision === undefined) this.#fail(entry, 'conflict', error)
    else if (decision === 'drop') dropNow(this.#context, entry, 'conflict')
    else {
      // The server has answered to the old key.
      const key = entry.row.key === null ? null : newKey()
      entry.row = { ...entry.row, key, isSent: false }
      if (decision !== 'resend') await this.#decisions.replace(entry, decision.args)
      else this.#later(entry, error)
    }
  }

  /** Takes back what a mutation showed, with what depends on it, and keeps it with its error. */
  #fail(entry: Entry, reason: OutboxFailure, error: Error): void {
    const { entries, rows } = this.#context
    entries.change(entry, { status: 'failed', reason, error, retryAt: undefined, progress: undefined })
    entry.row = { ...entry.row, failed: { reason, error: packError(error) }, retryAt: null }
    void rows.save(entry)
    endLive(entry, 'failed', error)
    for (const dependent of entries.dependentsOf(entry)) {
      if (dependent.status === 'failed') continue
      const { endpoint } = dependent.row
      this.#fail(dependent, 'dependency', errors.createFailed(endpoint, entry.row.temporaryId ?? '', error))
    }
  }
}

async function packIfPossible(payload: unknown): Promise<Storable | undefined> {
  try {
    return await pack(payload)
  } catch {
    return undefined
  }
}

/** Twice is as good as once for these methods. */
function resendIfHarmless(endpoint: EndpointLike | undefined): () => 'resend' | 'keep' {
  const { method } = (endpoint ?? {}) as { method?: unknown }
  return () => (method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? 'resend' : 'keep')
}
