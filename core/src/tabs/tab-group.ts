import type { Controller } from '../controller/controller.js'
import { outboxOf } from '../controller/outbox-of.js'
import type { SyncTabsOptions } from './tab-options.js'

/** The tabs that share with this one: those of its application and version, and of its user. All is read anew, because an outbox may come later. */
export class TabGroup {
  readonly #controller: Controller
  readonly #options: SyncTabsOptions

  constructor(controller: Controller, options: SyncTabsOptions) {
    this.#controller = controller
    this.#options = options
  }

  /** The application. */
  get owner(): string {
    return `tabs.${this.#options.name ?? outboxOf(this.#controller).name}`
  }

  /** The name of its channel, and the beginning of those of its locks. */
  get name(): string {
    return `selfsame.${this.owner}.${this.#options.version ?? 1}`
  }

  /** The user now; `undefined` without one. */
  get scope(): string | undefined {
    const { scope = outboxOf(this.#controller).scope } = this.#options
    return scope?.()?.toString()
  }
}
