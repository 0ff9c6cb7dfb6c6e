import type { Controller, EndpointLike, KeyTester, Middleware } from '@selfsame/core'

/** Where responses are kept: `localStorage`, or anything like it. */
export type AnswerStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface Saved {
  readonly args: readonly unknown[]
  readonly response: unknown
}

/** Keeps the responses of some endpoints over a reload. All of them read, and have a `testKey`. */
export class Persistence {
  readonly #storage: AnswerStorage
  readonly #name: string
  readonly #endpoints: readonly (EndpointLike & KeyTester)[]
  readonly #saved: Map<string, Saved>

  constructor(storage: AnswerStorage, name: string, endpoints: readonly (EndpointLike & KeyTester)[]) {
    this.#storage = storage
    this.#name = name
    this.#endpoints = endpoints
    this.#saved = new Map(JSON.parse(storage.getItem(name) ?? '[]') as [string, Saved][])
  }

  readonly middleware: Middleware = () => ({
    after: (action, refusal) => {
      if (refusal !== undefined) return
      if (action.type === 'resetAll') {
        // The next user must not see it.
        this.#saved.clear()
        this.#storage.removeItem(this.#name)
      } else if (action.type === 'response' && action.kind === 'read' && this.#isKept(action.key)) {
        this.#saved.set(action.key, { args: action.args, response: action.response })
        this.#storage.setItem(this.#name, JSON.stringify([...this.#saved]))
      }
    },
  })

  /** Shows what was kept, before the first reader is mounted. It is Stale, so that readers fetch it. */
  restore(controller: Controller): void {
    controller.batch(() => {
      for (const endpoint of this.#endpoints) {
        for (const [key, { args, response }] of this.#saved) {
          if (endpoint.testKey(key)) controller.setResponse(endpoint, ...args, response)
        }
        controller.expireAll(endpoint)
      }
    })
  }

  #isKept(key: string): boolean {
    return this.#endpoints.some((endpoint) => endpoint.testKey(key))
  }
}
