import { browserNetwork } from '../util/network-state.js'
import type { NetworkState } from '../util/network-state.js'
import type { Attempts } from './attempts.js'
import type { OutboxContext } from './context.js'
import type { Entry } from './entry.js'
import type { RowReading } from './reading.js'

/** Decides which mutations are sent, and when. */
export class Sending {
  readonly #context: OutboxContext
  readonly #attempts: Attempts
  readonly #reading: RowReading
  #timer: unknown
  /** When the timer fires; `Infinity` without one. */
  #wakesAt = Infinity
  #endNetwork: (() => void) | undefined

  constructor(context: OutboxContext, attempts: Attempts, reading: RowReading) {
    this.#context = context
    this.#attempts = attempts
    this.#reading = reading
  }

  /** Sends what can be sent now, if this tab may send; else asks for the lock. */
  pump(): void {
    const context = this.#context
    const { end, entries, lock } = context
    if (end.aborted) return
    context.checkScope()
    this.#followNetwork()
    // Read once: what is not due by this time is due later, and gets a timer.
    const now = context.controller.clock.now()
    const reason = context.isPaused ? 'session' : undefined
    for (const entry of entries.all)
      if (entry.status === 'waiting' && entry.reason !== reason) entries.change(entry, { reason })
    const due = this.#network.isOnline() && this.#reading.isRead && !context.isPaused ? this.#due(now) : []
    this.#setTimer(now)
    if (due.length === 0) {
      if (!entries.all.some(({ status }) => status === 'sending')) lock.leave()
    } else if (lock.isMine) for (const entry of due) void this.#attempts.send(entry)
    else lock.ask(this.#prepare, () => this.pump())
  }

  end(): void {
    this.#endNetwork?.()
    this.#context.controller.clock.clearTimeout(this.#timer)
  }

  get #network(): NetworkState {
    return this.#context.options.network ?? browserNetwork
  }

  /** Another tab may have sent what waits here. @returns `false` if this cannot be known now */
  readonly #prepare = async (): Promise<boolean> =>
    (await this.#reading.syncNow()) && !this.#context.end.aborted

  /** The mutations whose turn it is: no earlier one that touches the same waits. */
  #due(now: number): Entry[] {
    const { entries, ids, registry } = this.#context
    const touched = new Set<string>()
    return entries.all.filter((entry) => {
      const { status, row, isHeld, live, retryAt, written, ending } = entry
      if (status === 'failed') return false
      const touches = row.touches.map((each) => ids.renamed(each))
      const isFirst = touches.every((each) => !touched.has(each))
      for (const each of touches) touched.add(each)
      const isIdle = status === 'waiting' && live !== undefined && !isHeld && ending === undefined
      const isDue = isFirst && isIdle && written !== 'not yet' && (retryAt ?? 0) <= now
      if (!isDue) return false
      // Its prefix may be another one by now.
      entries.change(entry, { isKnown: registry.get(row.address) !== undefined })
      return entry.isKnown
    })
  }

  /** Wakes up at the next retry; where no channel tells of other tabs, looks for what they did. */
  #setTimer(now: number): void {
    const { controller, entries, lock, rows } = this.#context
    const { clock } = controller
    const next = Math.min(
      ...entries.all.map(({ status, retryAt }) =>
        status === 'waiting' && retryAt !== undefined && retryAt > now ? retryAt : Infinity,
      ),
    )
    // A timer that runs is left: it is right also if the time is changed.
    if (next !== this.#wakesAt) {
      this.#wakesAt = next
      clock.clearTimeout(this.#timer)
      if (next !== Infinity)
        this.#timer = clock.setTimeout(() => this.#wakeUp(next), next - now, { keepsAlive: true })
    }
    if (lock.isShared && rows.channel === undefined && entries.all.length > 0) this.#reading.syncLater()
  }

  /** @param at - what waits until then is due, whatever time it is by the clock */
  #wakeUp(at: number): void {
    const { entries } = this.#context
    this.#wakesAt = Infinity
    for (const entry of entries.all)
      if ((entry.retryAt ?? Infinity) <= at) entries.change(entry, { retryAt: undefined })
    this.pump()
  }

  #followNetwork(): void {
    const { entries } = this.#context
    if (entries.all.length === 0 || this.#endNetwork !== undefined) return
    const network = this.#network
    this.#endNetwork = network.subscribe(() => {
      if (!network.isOnline()) return
      for (const entry of entries.all) entries.change(entry, { retryAt: undefined })
      this.pump()
    })
  }
}
