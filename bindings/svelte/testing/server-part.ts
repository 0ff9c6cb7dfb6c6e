import type { ScreenPart } from '@selfsame/conformance'
import type { Queryable, ReadEndpoint } from '@selfsame/core'
import {
  useCache,
  useDLE,
  useFetch,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
} from '../src/index.js'

/** Calls the hook of a part. @returns a function that gives what it shows; of `useFetch` its promise */
export function callHook({ hook, endpoint, args }: ScreenPart): () => unknown {
  // The driver hands endpoints and arguments through untyped.
  const call = [() => endpoint as ReadEndpoint, () => args as readonly [null]] as const
  if (hook === 'useSubscription') {
    useSubscription(...call)
    return () => undefined
  }
  const useAny = { useSuspense, useCache, useDLE, useProgress, useLive, useFetch }
  const handle = hook === 'useQuery' ? useQuery(() => endpoint as Queryable, call[1]) : useAny[hook](...call)
  return () => handle.current
}
