import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import type { RequestCall } from '../controller/middleware.js'
import { createSettleable } from '../util/settleable.js'

/** How long the answers of mutations wait at most for what was kept, in milliseconds. */
const longestRestoring = 5000

/** Holds requests while what was kept is restored. */
export class StartWait {
  /** The calls that were asked for meanwhile. */
  readonly asked = new Set<string>()
  readonly #controller: Controller
  /** How long reads wait at most, in milliseconds. */
  readonly #longest: number
  #settled = createSettleable<undefined>()
  /** By key of a call, what ends the wait of its requests. */
  readonly #waiting = new Map<string, () => void>()

  constructor(controller: Controller, longest = 100) {
    this.#controller = controller
    this.#longest = longest
  }

  get isReady(): boolean {
    return this.#settled.promise.status === 'fulfilled'
  }

  get ready(): Promise<void> {
    return this.#settled.promise as Promise<void>
  }

  begin(): void {
    if (this.isReady) this.#settled = createSettleable()
  }

  end(): void {
    this.#settled.resolve(undefined)
  }

  /** A call is restored. */
  endOf(key: string): void {
    this.#waiting.get(key)?.()
  }

  /**
   * Holds a read back until its call is restored, or all of the storage, but not for long; and the answer of a mutation until the lists that
   * it changes are restored: those that were kept do not have it.
   */
  async hold({ key, kind }: RequestCall, next: () => Promise<unknown>): Promise<unknown> {
    if (this.isReady) return next()
    if (kind === 'mutation') {
      const response = await next()
      await this.#first(longestRestoring)
      return response
    }
    const restored = new Promise<void>((resolve) => this.#waiting.set(key, resolve))
    this.#tell(key, true)
    await this.#first(this.#longest, restored)
    this.#waiting.delete(key)
    this.#tell(key, false)
    return next()
  }

  /** Waits until all is restored or a promise is resolved, and no longer than some milliseconds. */
  async #first(longest: number, restored?: Promise<void>): Promise<void> {
    const { clock } = this.#controller
    let timer: unknown
    const enough = new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, longest, { keepsAlive: true })
    })
    await Promise.race([this.ready, enough, restored ?? enough])
    clock.clearTimeout(timer)
  }

  /** Tells the readers of a call's status whether it waits for the storage. */
  #tell(key: string, isRestoring: boolean): void {
    const calls = callsOf(this.#controller)
    const restoring = (calls.restoring ??= new Set<string>())
    if (isRestoring) restoring.add(key)
    else restoring.delete(key)
    for (const call of calls.store.results.get(key) ?? []) calls.store.touch(call)
    // The caller may be rendering.
    queueMicrotask(() => calls.store.notify())
  }
}
