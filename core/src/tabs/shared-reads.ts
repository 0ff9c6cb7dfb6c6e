import { idOf } from '../controller/known-endpoints.js'
import type { RequestCall } from '../controller/middleware.js'
import type { Clock } from '../util/clock.js'
import { getOrMake } from '../util/get-or-make.js'
import type { TabLocks } from './tab-options.js'

/** How long the answer of a tab that has let go of a read is waited for, in milliseconds: it may be on its way. */
const onItsWay = 20

/** The name of a call in all tabs. Two endpoints may make one key, and different things of its response. @param endpoint - its id */
export function callNameOf(endpoint: string, key: string): string {
  return `${endpoint} ${key}`
}

/** The answer of another tab. */
interface SharedAnswer {
  readonly response: unknown
}

/** What the reads under way need of a tab. */
export interface SharedReadsSource {
  readonly locks: TabLocks
  readonly clock: Clock
  /** The name of the lock of a call. @param call - see `callNameOf` */
  readonly lockOf: (call: string) => string
  /** How long another tab is waited for, in milliseconds. */
  readonly waitMs: number
  /** Called before a read is sent. */
  readonly onSend: (id: number) => void
}

/**
 * The reads under way, of which each is made by one tab: the one that holds the lock of its call. Others wait for what that tab tells.
 * If it tells nothing that they can use, because the read failed or the tab is gone, the next one in line makes it.
 */
export class SharedReads {
  readonly #source: SharedReadsSource
  /** The calls that this tab asks for, or waits for. */
  readonly #asked = new Set<string>()
  /** By id of a request, what leaves its locks: it has one for each page that it asks for. */
  readonly #held = new Map<number, (() => void)[]>()
  /** By call, its request, and what ends the wait for another tab. */
  readonly #waiting = new Map<
    string,
    { readonly id: number; readonly end: (answer?: SharedAnswer) => void }
  >()

  constructor(source: SharedReadsSource) {
    this.#source = source
  }

  /** Makes a read, or takes what another tab tells of it. */
  async request(call: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    const { id, signal } = call
    const key = callNameOf(idOf(call.endpoint), call.key)
    // Within a tab the Controller shares reads. This is another one of the same key.
    if (this.#asked.has(key)) return next()
    this.#asked.add(key)
    const isFurther = this.#held.has(id)
    const leave = () => this.leave(id)
    signal.addEventListener('abort', leave)
    try {
      const isMine = await this.#ask(key, id)
      const answer = isMine || signal.aborted ? undefined : await this.#wait(key, call)
      if (answer !== undefined) return answer.response
      if (!isFurther) this.#source.onSend(id)
      return await next()
    } catch (error) {
      leave()
      throw error
    } finally {
      this.#asked.delete(key)
      if (signal.aborted) leave()
    }
  }

  /** Leaves the locks of a read that is stored and told. */
  leave(id: number): void {
    for (const end of this.#held.get(id) ?? []) end()
    this.#held.delete(id)
  }

  /** Leaves all locks: other tabs make these reads. */
  leaveAll(): void {
    for (const id of [...this.#held.keys()]) this.leave(id)
  }

  /** The id of the request of a call that waits for another tab; `undefined` if none does. */
  waitingFor(key: string): number | undefined {
    return this.#waiting.get(key)?.id
  }

  /** Gives what another tab has received. */
  take(key: string, response: unknown): void {
    this.#waiting.get(key)?.end({ response })
  }

  /** @returns `false` if another tab has the lock */
  #ask(key: string, id: number): Promise<boolean> {
    const { locks, lockOf } = this.#source
    return new Promise((resolve) => {
      const hold = (lock: object | null) => {
        resolve(lock !== null)
        return lock === null ? Promise.resolve() : this.#hold(id)
      }
      void locks.request(lockOf(key), { ifAvailable: true }, hold)
    })
  }

  #hold(id: number): Promise<void> {
    return new Promise((resolve) => void getOrMake(this.#held, id, () => []).push(resolve))
  }

  /** Waits for the answer of another tab. @returns `undefined` if this tab has to make the read */
  #wait(key: string, { id, signal }: RequestCall): Promise<SharedAnswer | undefined> {
    const { clock, locks, lockOf, waitMs } = this.#source
    return new Promise((resolve) => {
      const inLine = new AbortController()
      const timers: unknown[] = []
      const end = (answer?: SharedAnswer) => {
        this.#waiting.delete(key)
        for (const timer of timers) clock.clearTimeout(timer)
        inLine.abort()
        resolve(answer)
      }
      const after = (ms: number) => timers.push(clock.setTimeout(() => end(), ms, { keepsAlive: true }))
      this.#waiting.set(key, { id, end })
      after(waitMs)
      signal.addEventListener('abort', () => end(), { once: true })
      const hold = () => {
        if (inLine.signal.aborted) return Promise.resolve()
        after(onItsWay)
        return this.#hold(id)
      }
      locks.request(lockOf(key), { signal: inLine.signal }, hold).catch(() => {})
    })
  }
}
