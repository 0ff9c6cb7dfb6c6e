import { shapeOf } from '@selfsame/conformance'
import type { LegacyHook, ReadTarget } from '@selfsame/conformance'
import type { ReadShape } from '@selfsame/core/legacy'
import type { SuspenseHandle } from '@selfsame/vue'
import {
  useCache,
  useError,
  useFetcher,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from '@selfsame/vue/legacy'

type Sources = readonly [target: () => ReadTarget, args: () => readonly unknown[]]
/** Calls a hook for the suite. @returns a getter of its value */
type Use = (...sources: Sources) => () => unknown
type AwaitedHook = 'useResource' | 'useResource of several'

// The suite passes a shape and params to hooks that read a shape.
const shape = (target: () => ReadTarget) => () => shapeOf(target()) as ReadShape
const params = (args: () => readonly unknown[]) => () => args()[0] as object | null

/** The hooks of 4.5 that are awaited. */
export const awaitedLegacyHooks: Readonly<
  Record<AwaitedHook, (...sources: Sources) => SuspenseHandle<unknown>>
> = {
  useResource: (target, args) => useResource(shape(target), params(args)),
  'useResource of several'(_, args) {
    const calls = () => args()[0] as readonly (readonly [ReadShape, object | null])[]
    // The count of calls never changes.
    const at = (index: number) => calls()[index] as readonly [ReadShape, object | null]
    return useResource(...calls().map((_call, index) => [() => at(index)[0], () => at(index)[1]] as const))
  },
}

/** The other hooks of 4.5. */
export const legacyHooks: Readonly<Record<Exclude<LegacyHook, AwaitedHook>, Use>> = {
  'useCache of a shape'(target, args) {
    const data = useCache(shape(target), params(args))
    return () => data.value
  },
  useRetrieve(target, args) {
    const promise = useRetrieve(shape(target), params(args))
    return () => promise.value
  },
  useError(target, args) {
    const error = useError(shape(target), params(args))
    return () => error.value
  },
  useFetcher(target) {
    const fetch = useFetcher(() => shapeOf(target()))
    return () => fetch
  },
  useInvalidator(target) {
    const invalidate = useInvalidator(shape(target))
    return () => invalidate
  },
  useResetter() {
    const reset = useResetter()
    return () => reset
  },
}
