import type { Controller } from '@selfsame/core'
import { outboxOf } from '@selfsame/core/outbox'
import { accountResource, cookieOf, initOf } from '@selfsame/demo-shared/application'
import { createContext, tick } from 'svelte'

export const [getSession, setSession] = createContext<Session>()

/** The signed-in user. */
export class Session {
  readonly #controller: Controller
  #token = $state<string>()

  constructor(controller: Controller, token: string | undefined) {
    this.#controller = controller
    this.#token = token
  }

  get token(): string | undefined {
    return this.#token
  }

  /** Fetches the user of a token, and stores the token. Rejects if no user has it. */
  async signIn(token: string): Promise<void> {
    const get = accountResource.get.extend({
      getHeaders: (headers) => ({ ...headers, ...initOf(token)?.headers }),
    })
    await this.#controller.fetch(get)
    document.cookie = cookieOf(token)
    outboxOf(this.#controller).checkScope()
    this.#token = token
  }

  /** Removes the user, and empties the cache. */
  async signOut(): Promise<void> {
    document.cookie = cookieOf(undefined)
    this.#token = undefined
    // Waits until the readers of the user are unmounted. Mounted ones would refetch the user, without a token.
    await tick()
    this.#controller.resetAll()
  }
}
