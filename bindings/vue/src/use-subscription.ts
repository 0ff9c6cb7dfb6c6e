import type { ReadEndpoint } from '@selfsame/core'
import type { Observer } from '@selfsame/core/bindings'
import { connectCall } from '@selfsame/core/live'
import { getCurrentInstance } from 'vue'
import type { ComposableArgs, Source, GivenArgs } from './arguments.js'
import { isScopeOfComponent, useObserver } from './use-observer.js'

/**
 * Keeps a call fresh while the component is mounted. With a `stream`, it receives the messages of the server;
 * otherwise it fetches the call immediately if it is Stale or Invalid, and then every `pollFrequency` milliseconds.
 * Returns nothing: read the data with `useSuspense` or `useCache`, or do both with `useLive`. On a server it does
 * nothing.
 *
 * @param endpoint - an endpoint that reads and has a `stream` or a `pollFrequency`, or a ref or getter of one
 * @param args - the endpoint's arguments, each a value, a ref or a getter, or one getter that returns the list of
 *   all; a first argument of `null` does nothing
 * @throws {SelfsameError} `provider-missing` outside a `DataProvider`, or outside `setup()`; `argument-invalid`
 *   for an endpoint with neither
 * @see specification 3, Polling; 6
 * @example
 * useSubscription(getPrice, () => ({ symbol: props.symbol }))
 */
export function useSubscription<E extends Source<ReadEndpoint>, const Args extends ComposableArgs<E>>(
  endpoint: E,
  ...args: GivenArgs<E, Args>
): void {
  useConnection('useSubscription', endpoint, args)
}

/** Connects a call while the component is on screen. */
export function useConnection(name: string, endpoint: unknown, args: readonly unknown[]): void {
  // Vue's types omit the promise of an `async setup()`.
  const component = isScopeOfComponent()
    ? (getCurrentInstance() as { readonly asyncDep?: Promise<unknown> | null } | null)
    : null
  const keep = (observer: Observer) => {
    const setup = component?.asyncDep ?? undefined
    if (setup === undefined) return observer.connect(connectCall)
    // Vue mounts also a component whose setup failed, until the boundary takes it away: that one connects nothing.
    let end: (() => void) | undefined
    let isOver = false
    setup.then(
      () => {
        if (!isOver) end = observer.connect(connectCall)
      },
      () => {},
    )
    return () => {
      isOver = true
      end?.()
    }
  }
  useObserver({ name, endpoint, args, read: () => undefined, keep })
}
