import { callsOf } from '@selfsame/core/bindings'
import type { Controller } from '@selfsame/core'

/** One rendering on a server, which readers tell what they showed. */
export class ServerRender {
  readonly #isSame: (() => boolean)[] = []

  /** @param read - gives what the reader would show now */
  note<Shown>(shown: Shown, read: () => Shown): void {
    this.#isSame.push(() => read() === shown)
  }

  /** Whether a reader would show something else now: what was rendered is not what a page would render. */
  isBehind(): boolean {
    return this.#isSame.some((isSame) => !isSame())
  }
}

/** Finds the error of a call that a boundary showed on a server, by what stands for it; `undefined` for anything else. */
export type FindCarried = (thrown: unknown) => Error | undefined

/** Stands for the error of a call in the page, by the call's key. */
export interface CarriedForm {
  readonly selfsame: string
}

/** The error that stands in the state, by what stands for it in the page. */
export function findCarried(controller: Controller, thrown: unknown): Error | undefined {
  const { store } = callsOf(controller)
  const { selfsame: key } = (thrown ?? {}) as Partial<CarriedForm>
  if (typeof key !== 'string' || thrown instanceof Error) return undefined
  const answers = [...(store.results.get(key) ?? []), ...(store.hydration?.waiting ?? [])]
  return answers.find((answer) => answer.key === key && answer.failure !== undefined)?.failure?.error
}
