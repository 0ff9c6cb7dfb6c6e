import { isFetching, refetch } from '@selfsame/core/bindings'
import type { Asked } from '@selfsame/core'
import type { Asking, Followed } from '@selfsame/core/bindings'
import { toHandle } from './use-observer.svelte.js'
import type { Observed, ValueHandle } from './use-observer.svelte.js'

/** Returns the handle of a state, with each of its members, `fetching` and `refetch`. */
export function toStateHandle<
  State extends object,
  Name extends keyof State & string,
  Of extends Asking & Followed,
>(
  observed: Observed<State, Of>,
  load: (observer: Of) => State,
  names: readonly Name[],
): ValueHandle<State> & Asked & { readonly [Each in Name]: State[Each] } {
  const members = names.map((name) => [name, (observer: Of) => load(observer)[name]] as const)
  const handle = toHandle(observed, { ...Object.fromEntries(members), fetching: isFetching })
  // The members are those of the state.
  return Object.assign(handle, { refetch: () => refetch(observed.peek()) }) as unknown as ReturnType<
    typeof toStateHandle<State, Name, Of>
  >
}
