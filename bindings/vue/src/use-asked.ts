import { isFetching, refetch } from '@selfsame/core/bindings'
import type { Asking, Followed } from '@selfsame/core/bindings'
import { computed } from 'vue'
import type { Ref } from 'vue'
import type { Observed } from './use-observer.js'

/** What composables return beside their state. */
export interface AskedRefs {
  /** `true` while a request for the data is in flight, whatever is on screen, and whoever sent it. */
  readonly fetching: Readonly<Ref<boolean>>
  /**
   * Fetches the data now, even if it is Valid; joins a request in flight. The promise resolves when the request ends, and
   * never rejects: `error` has the error.
   */
  readonly refetch: () => Promise<void>
}

export function askedOf({ part, observer }: Observed<unknown, Asking & Followed>): AskedRefs {
  return { fetching: part(isFetching), refetch: () => refetch(observer.value) }
}

/** Returns a ref of each member of a state, and one of the whole state. */
export function refsOf<State extends object, Name extends keyof State>(
  state: Readonly<Ref<State>>,
  names: readonly Name[],
): { readonly [Each in Name]: Readonly<Ref<State[Each]>> } & { readonly state: Readonly<Ref<State>> } {
  const refs = Object.fromEntries(names.map((name) => [name, computed(() => state.value[name])]))
  // One for each name.
  return { state, ...(refs as unknown as { readonly [Each in Name]: Readonly<Ref<State[Each]>> }) }
}
