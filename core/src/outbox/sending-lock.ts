import { findLocks } from '../platform/platform.js'
import type { AnyLocks } from '../platform/platform.js'
import type { Tabs } from './locks.js'

/** Decides which tab sends: the one that holds the lock. Without Web Locks each tab does. */
export class SendingLock {
  /** `undefined` where each tab sends by itself. */
  #locks: AnyLocks | undefined
  readonly #name: string
  /** Ends the wait for the lock. */
  readonly #end: AbortSignal
  #isAsking = false
  #leave: (() => void) | undefined

  /** @param onMissing - called once, if the browser has no Web Locks, or when it refuses them */
  constructor({ locks }: Tabs, name: string, end: AbortSignal, onMissing: () => void) {
    this.#locks = findLocks(locks as AnyLocks | null | undefined, () => {
      this.goAlone()
      onMissing()
    })
    this.#name = name
    this.#end = end
  }

  /** `true` if other tabs may show the same mutations. */
  get isShared(): boolean {
    return this.#locks !== undefined
  }

  /** `true` if this tab may send. */
  get isMine(): boolean {
    return this.#locks === undefined || this.#leave !== undefined
  }

  /**
   * Asks for the lock, and holds it until `leave`.
   *
   * @param prepare - called with the lock; the lock is left if it resolves with `false`
   * @param send - called when it is held
   */
  ask(prepare: () => Promise<boolean>, send: () => void): void {
    if (this.#isAsking) return
    this.#isAsking = true
    const hold = async () => {
      this.#isAsking = false
      if (!(await prepare())) return
      await new Promise<void>((resolve) => {
        this.#leave = () => {
          this.#leave = undefined
          resolve()
        }
        send()
      })
    }
    this.with(hold).catch(() => {
      // The wait for the lock was ended by `dispose`.
      this.#isAsking = false
    })
  }

  leave(): void {
    this.#leave?.()
  }

  /**
   * Holds a mutation back, so that no other tab sends it, until a promise is resolved or this tab is gone.
   *
   * @param until - @default it is let go at once
   * @returns resolved when no other tab holds it
   */
  hold(id: string, until = Promise.resolve()): Promise<void> {
    return new Promise((resolve) => {
      const run = () => {
        resolve()
        return until
      }
      void (this.#locks?.request(`${this.#name}.${id}`, {}, run) ?? run())
    })
  }

  /** From now on this tab sends by itself. */
  goAlone(): void {
    this.#locks = undefined
  }

  /** Runs a function while no other tab sends. */
  async with(run: () => Promise<void>): Promise<void> {
    const locks = this.#locks
    if (locks === undefined || this.#leave !== undefined) return run()
    return locks.request(this.#name, { signal: this.#end }, run)
  }
}
