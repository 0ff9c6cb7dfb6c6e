import type { ScreenPart } from '@selfsame/conformance'
import type { PagesOptionsOf, Queryable, ReadEndpoint } from '@selfsame/core'
import {
  useCache,
  useDLE,
  useDLEAll,
  useFetch,
  useInfinite,
  useLast,
  useLive,
  useProgress,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from '../src/index.js'

const read = (handle: { readonly current: unknown }) => () => handle.current

/** Calls the hook of a part. @returns a getter of what it shows; for `useFetch` its promise */
export function callHook({ hook, endpoint, args }: ScreenPart): () => unknown {
  // The driver passes endpoints and arguments without types.
  const call = [() => endpoint as ReadEndpoint, () => args as readonly [null]] as const
  switch (hook) {
    case 'useSuspense':
      return read(useSuspense(...call))
    case 'useSuspenseAll':
      return read(useSuspenseAll(() => args[0] as readonly [[ReadEndpoint, null]]))
    case 'useDLEAll':
      return read(useDLEAll(() => args[0] as readonly [[ReadEndpoint, null]]))
    case 'useInfinite': {
      const options = args[1] as PagesOptionsOf<ReadEndpoint, ReadEndpoint>
      return read(useInfinite(call[0], () => args[0] as object, options))
    }
    case 'useLive':
      return read(useLive(...call))
    case 'useFetch':
      return read(useFetch(...call))
    case 'useCache':
      return read(useCache(...call))
    case 'useDLE with fetching':
    case 'useDLE':
      return read(useDLE(...call))
    case 'useLast':
      return read(useLast(...call))
    case 'useProgress':
      return read(useProgress(...call))
    case 'useQuery':
      return read(useQuery(() => endpoint as Queryable, call[1]))
    case 'useSubscription':
      useSubscription(...call)
      return () => undefined
  }
}
