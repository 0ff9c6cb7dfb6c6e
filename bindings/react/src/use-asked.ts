import { isFetching, refetch } from '@selfsame/core/bindings'
import type { Asked } from '@selfsame/core'
import type { Asking, Followed } from '@selfsame/core/bindings'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

/**
 * Adds `fetching` and `refetch` to a state. A component is rendered for a change of `fetching` only once it has read it, as
 * by `const { data, fetching } = useDLE(…)`.
 */
export function useAsked<State extends object>(observer: Asking & Followed, state: State): State & Asked {
  const [seen] = useState((): Seen => ({ fetching: false, begin: undefined }))
  // The same functions in each render: for others React subscribes again, or compares once more in an effect.
  const [subscribe, read] = useMemo(() => {
    const begin = (tell: () => void) => {
      let end: (() => void) | undefined
      seen.begin = () => {
        if (end !== undefined || !seen.fetching) return
        end = observer.subscribe(tell)
        // It may have changed since the render.
        tell()
      }
      return () => {
        seen.begin = undefined
        end?.()
      }
    }
    return [begin, () => seen.fetching && isFetching(observer)] as const
  }, [observer, seen])
  const fetching = useSyncExternalStore(subscribe, read, read)
  // This render may be the first one that has read it.
  useEffect(() => seen.begin?.())
  // A new object when `fetching` changes, so that memoized code which read it runs again.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => withAsked(observer, state, seen), [observer, state, seen, fetching])
}

/** What a component has read. */
interface Seen {
  fetching: boolean
  /** Subscribes, if the component has read `fetching`; `undefined` while it is not mounted. */
  begin: (() => void) | undefined
}

function withAsked<State extends object>(observer: Asking, state: State, seen: Seen): State & Asked {
  return {
    ...state,
    get fetching() {
      seen.fetching = true
      return isFetching(observer)
    },
    refetch: () => refetch(observer),
  }
}
