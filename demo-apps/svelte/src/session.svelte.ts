import type { Controller } from '@selfsame/core'
import { accountResource, cookieOf, initOf } from '@selfsame/demo-shared/application'
import { createContext, tick } from 'svelte'

export const [getSession, setSession] = createContext<Session>()

/** Who is signed in. */
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

  /** Fetches the user of a token, and keeps the token. Rejects where no user has it. */
  async signIn(token: string): Promise<void> {
    const get = accountResource.get.extend({
      getHeaders: (headers) => ({ ...headers, ...initOf(token)?.headers }),
    })
    await this.#controller.fetch(get)
    document.cookie = cookieOf(token)
    this.#token = token
  }

  /** Forgets the user and everything that was fetched. */
  async signOut(): Promise<void> {
    document.cookie = cookieOf(undefined)
    this.#token = undefined
    // What shows the user is gone by then: it would fetch him anew, without a token.
    await tick()
    this.#controller.resetAll()
  }
}
