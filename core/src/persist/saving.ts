import { development } from '#development'
import { callsOf } from '../controller/calls.js'
import type { Controller } from '../controller/controller.js'
import { isUnnamed } from '../endpoint/unnamed-key.js'
import { warn } from '../errors.js'
import { StateChanges } from '../hydration/dehydrate-changes.js'
import type { DehydratedState } from '../store/hydration/dehydrated-state.js'
import { listen } from '../util/listen.js'
import type { InTurn } from '../util/turns.js'
import type { ScopeRows } from './scope-rows.js'

/** How long changes are gathered before they are written, in milliseconds. */
const gatherLength = 200

/** How much is serialized at once: it takes some milliseconds. A call may be a list of a hundred records. */
const writeSlice = { records: 512, answers: 32 }

/** Gathers what changes and writes it: after a while, and when the page is hidden or left. */
export class Saving {
  /** `true` once the storage has failed: nothing is written from then on. */
  isStopped = false
  readonly #controller: Controller
  readonly #inTurn: InTurn
  /** What changes, and where it is written; `undefined` while nothing is to be written. */
  #source: { readonly rows: ScopeRows; readonly changes: StateChanges } | undefined
  /** `true` while what is kept is stored: that is no change. */
  #isIgnoring = false
  /** What is being written. */
  #written: DehydratedState | undefined
  #timer: unknown

  constructor(controller: Controller, inTurn: InTurn) {
    this.#controller = controller
    this.#inTurn = inTurn
  }

  /** Writes when the page is hidden or left. @returns a function that ends it */
  listen(): () => void {
    const { document: page } = globalThis as { document?: Document }
    const ends = [
      listen(globalThis, ['pagehide'], () => {
        // What is being written may wait for an answer of the storage, which does not reach a page that is left.
        if (this.#source !== undefined && this.#written !== undefined)
          void this.#save(this.#source.rows, this.#written, false, true)
        void this.flush(true)
      }),
      listen(page, ['visibilitychange', 'freeze'], () => void this.flush()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  /** Gathers the changes of a user. What was received before is part of the first write. */
  begin(rows: ScopeRows): void {
    if (this.isStopped) return
    const onChange = () => {
      rows.checkScope()
      this.#later()
    }
    const changes = new StateChanges(callsOf(this.#controller).store, () => this.#isIgnoring, onChange)
    this.#source = { rows, changes }
    this.#later()
  }

  /** What has changed and was not written yet is not written any more. */
  end(): void {
    this.#controller.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#source?.changes.end()
    this.#source = undefined
  }

  /** @param why - what is wrong with the storage */
  stop(why: string): void {
    if (this.isStopped) return
    this.isStopped = true
    this.end()
    warn(`persist() stores nothing from now on: its storage ${why}`)
  }

  /** Runs a function that stores what is kept. */
  ignore(run: () => void): void {
    // What was written before is a change.
    callsOf(this.#controller).store.journal?.commit()
    this.#isIgnoring = true
    try {
      run()
    } finally {
      this.#isIgnoring = false
    }
  }

  #later(): void {
    this.#timer ??= this.#controller.clock.setTimeout(() => {
      this.#timer = undefined
      const { requestIdleCallback: whenIdle } = globalThis as {
        requestIdleCallback?: (run: () => void) => void
      }
      if (whenIdle === undefined) void this.flush()
      else whenIdle(() => void this.flush())
    }, gatherLength)
  }

  /**
   * Writes what has changed: a large response in slices, between which the page can work.
   *
   * @param isLeft - `true` for a page that is left
   */
  flush(isLeft = false): Promise<void> {
    return this.#inTurn(async () => {
      for (let isLast = false; !isLast && this.#source !== undefined; this.#written = undefined) {
        const { rows, changes } = this.#source
        if (!rows.checkScope()) return this.#tellOfScope(rows)
        this.#written = changes.next((key) => !isUnnamed(key), writeSlice)
        isLast = !changes.hasMore
        await this.#save(rows, this.#written, isLast, isLeft)
      }
    })
  }

  async #save(rows: ScopeRows, state: DehydratedState, isLast: boolean, isLeft: boolean): Promise<void> {
    try {
      await rows.write(state, isLast, isLeft)
    } catch (error) {
      if ((error as Error).name !== 'QuotaExceededError') {
        this.stop(`cannot be written: ${(error as Error).message}`)
        return
      }
      try {
        await rows.drop(Math.ceil(rows.buckets.count / 4))
        await rows.write(state, isLast)
      } catch (again) {
        this.stop(`is full: ${(again as Error).message}`)
      }
    }
  }

  #tellOfScope(rows: ScopeRows): void {
    this.end()
    if (!development) return
    const tell = () => {
      if (!rows.isOver)
        warn(
          'The `scope` of persist() changed without controller.resetAll(), or another tab called it, so persist() stores nothing until this tab calls it: it cannot know whose data this is. Call controller.resetAll() whenever the user changes, including at sign-in. syncTabs() calls it in all tabs.',
        )
    }
    // The reset of another tab may be on its way.
    this.#controller.clock.setTimeout(tell, 2000)
  }
}
