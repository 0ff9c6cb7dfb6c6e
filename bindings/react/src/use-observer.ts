import { Hold, Observer, errors } from '@selfsame/core'
import type { CacheableEndpoint, EndpointLike, Facet } from '@selfsame/core'
import { useCallback, useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react'
import { useControllerFor } from './use-controller.js'

/** What every reading hook is made of. */
export interface Observed<Data, Shown> {
  readonly observer: Observer<Data>
  /** What `read` gave for the state of the store that this render shows. */
  readonly shown: Shown
}

/**
 * Watches a call for a component: one Observer for each call, whatever the identity of endpoint and arguments.
 *
 * A change of the store becomes a change of React state, in the lane of whoever made it. So a change made in a
 * transition is part of that transition: the old screen stays while the new one waits. An external store would be
 * rendered at once, and a deferred value would come a render late, which loses the caret of an input that edits a
 * record. Only a reset goes through `useSyncExternalStore`: after a logout nothing may stay, not even in a
 * transition (specification F18).
 *
 * @param hook - the name of the hook, for messages
 * @param facets - what the hook shows
 * @param read - takes from the observer what the hook shows; a function that is the same in each render
 */
export function useObserver<Data, Shown>(
  hook: string,
  endpoint: CacheableEndpoint & Partial<EndpointLike>,
  args: readonly unknown[],
  facets: readonly Facet[],
  read: (observer: Observer<Data>) => Shown,
): Observed<Data, Shown> {
  const controller = useControllerFor(`${hook}(${endpoint?.name ?? ''})`)
  if (typeof endpoint?.key !== 'function') throw errors.notAnEndpoint(hook, endpoint)
  const call = args[0] === null ? undefined : controller.row(endpoint, args)
  const { dataExpiryLength, invalidIfStale, policy } = endpoint
  // The rules for dependencies know values only. Here they say when the store has another answer, and that endpoint
  // and arguments made anew are the same call as before.
  /* eslint-disable react/memo-dependencies, react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps */
  // Lasts from the first commit on, unlike an Observer, of which a component that suspends makes others meanwhile:
  // so the request for arguments that it had before is not kept under way.
  const [hold] = useState(() => new Hold())
  const observer = useMemo(
    () => new Observer<Data>(controller, endpoint, args, facets, hold, call),
    [controller, call, dataExpiryLength, invalidIfStale, policy],
  )
  observer.follow(endpoint, args)

  const [version, update] = useReducer((count: number) => count + 1, 0)
  const subscribe = useCallback(
    (tell: () => void) => {
      let told = read(observer)
      return observer.subscribe(() => {
        const now = read(observer)
        if (now !== told) update()
        told = now
        tell()
      })
    },
    [observer, read],
  )
  const countResets = () => controller.resets
  const resets = useSyncExternalStore(subscribe, countResets, countResets)
  const shown = useMemo(() => read(observer), [observer, read, version, resets])

  useEffect(() => {
    const release = observer.retain()
    // What changed since this was rendered, or while an Activity was hidden, was told to nobody.
    if (read(observer) !== shown) update()
    return () => {
      release()
      observer.leave()
    }
  }, [observer])
  return { observer, shown }
}
