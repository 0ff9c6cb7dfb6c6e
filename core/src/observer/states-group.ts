import { isSameItems } from '../util/plain.js'
import { stateOfLoading } from './observer.js'
import type { CallState } from './observer.js'
import { ObserverGroup } from './observer-group.js'

/** The state of several calls, for hooks that do not suspend. Immutable: the same object until a member of it changes. */
export interface GroupState<Data = unknown, States = unknown> {
  /** The data of all calls, in a list or an object like the one given; `undefined` where there is none yet. */
  readonly data: Data
  /** `true` while one of the calls has neither data nor an error. */
  readonly loading: boolean
  /** The error of the first call that failed; `undefined` if none has. */
  readonly error: Error | undefined
  /** `true` while the data of one of them is that of previous arguments. */
  readonly isLast: boolean
  /** `data`, `loading`, `error` and `isLast` of each call, in a list or an object like the one given. */
  readonly states: States
}

/** Watches several calls for one reader that does not suspend. */
export class StatesGroup<Data = unknown> extends ObserverGroup<Data> {
  #told: { readonly states: readonly CallState[]; readonly state: GroupState } | undefined
  /** The state without data: what a server shows while one of the calls has none. */
  readonly blank: GroupState = this.#put(this.members.map(() => stateOfLoading))

  /** Returns the state, and fetches under the conditions of `useDLE`. */
  load(): GroupState {
    for (const member of this.members) member.load()
    return this.state()
  }

  /** Returns what `load` returns, without a request. */
  override state(): GroupState {
    const states = this.members.map((member) => member.state())
    if (this.#told === undefined || !isSameItems(this.#told.states, states))
      this.#told = { states, state: this.#put(states) }
    return this.#told.state
  }

  /** Returns what `state` returns, if all calls have data or an error. A page repeats it by the place of one reader. */
  served(): GroupState {
    const state = this.state()
    return state.loading ? this.blank : state
  }

  #put(states: readonly CallState[]): GroupState {
    const data = states.map((state) => state.data)
    const before = this.#told?.state.data
    return Object.freeze({
      data: before && isSameItems(Object.values(before), data) ? before : this.named(data),
      loading: states.some(({ loading }) => loading),
      error: states.find(({ error }) => error !== undefined)?.error,
      isLast: states.some(({ isLast }) => isLast),
      states: this.named(states),
    })
  }
}
