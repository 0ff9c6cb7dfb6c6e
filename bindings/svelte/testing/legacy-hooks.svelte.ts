import { shapeOf } from '@selfsame/conformance'
import type { LegacyHook, ReadTarget } from '@selfsame/conformance'
import type { ReadShape } from '@selfsame/core/legacy'
import {
  useCache,
  useError,
  useFetcher,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from '../src/legacy.js'

/** Calls a hook for the suite. @returns a getter of its value */
type Use = (target: () => ReadTarget, args: () => readonly unknown[]) => () => unknown

// The suite passes a shape and params to hooks that read a shape.
const shape = (target: () => ReadTarget) => () => shapeOf(target()) as ReadShape
const params = (args: () => readonly unknown[]) => () => args()[0] as object | null

/** The hooks of 4.5. */
export const legacyHooks: Readonly<Record<LegacyHook, Use>> = {
  useResource(target, args) {
    const handle = useResource(shape(target), params(args))
    return () => handle.current
  },
  'useResource of several'(_, args) {
    const calls = () => args()[0] as readonly (readonly [ReadShape, object | null])[]
    // The count of calls never changes.
    const at = (index: number) => calls()[index] as readonly [ReadShape, object | null]
    const handle = useResource(
      ...calls().map((_call, index) => [() => at(index)[0], () => at(index)[1]] as const),
    )
    return () => handle.current
  },
  'useCache of a shape'(target, args) {
    const handle = useCache(shape(target), params(args))
    return () => handle.current
  },
  useRetrieve(target, args) {
    const handle = useRetrieve(shape(target), params(args))
    return () => handle.current
  },
  useError(target, args) {
    const handle = useError(shape(target), params(args))
    return () => handle.current
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
