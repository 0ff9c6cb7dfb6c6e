import { awaitedOnServer, callsOf } from '@selfsame/core/bindings'
import type { Asking } from '@selfsame/core/bindings'
import type { Controller } from '@selfsame/core'

/** One render on a server. Readers record their output in it. */
export class ServerRender {
  readonly #isSame: (() => boolean)[] = []

  /**
   * @param read - returns the output of the reader now
   * @param reader - fetches what its option `ssr` asks for
   */
  note<Shown>(shown: Shown, read: () => Shown, reader: object): void {
    if ('members' in reader) awaitedOnServer(reader as Asking)
    this.#isSame.push(() => read() === shown)
  }

  /**
   * True if a reader's output would be different now. Then the page would not match the server's HTML when it
   * hydrates.
   */
  isBehind(): boolean {
    return this.#isSame.some((isSame) => !isSame())
  }
}

/**
 * Finds the error of a call that a boundary showed on the server, by its serialized form; `undefined` for anything
 * else.
 */
export type FindCarried = (thrown: unknown) => Error | undefined

/** The serialized form of a call's error in the page: the call's key. */
export interface CarriedForm {
  readonly selfsame: string
}

/** Finds an error in the hydrated state by its serialized form. */
export function findCarried(controller: Controller, thrown: unknown): Error | undefined {
  const { store } = callsOf(controller)
  const { selfsame: key } = (thrown ?? {}) as Partial<CarriedForm>
  if (typeof key !== 'string' || thrown instanceof Error) return undefined
  const answers = [...(store.results.get(key) ?? []), ...(store.hydration?.waiting ?? [])]
  return answers.find((answer) => answer.key === key && answer.state.failure !== undefined)?.state.failure
    ?.error
}
