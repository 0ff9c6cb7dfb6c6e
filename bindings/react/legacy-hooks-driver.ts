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
} from './src/legacy.js'

/** Calls a hook with what the suite passes, which is what its types allow. */
export type Use = (target: ReadTarget, args: readonly unknown[]) => unknown

// The suite gives the hooks that read a shape that does.
const readShapeOf = (target: ReadTarget): ReadShape => shapeOf(target) as ReadShape

const useSeveral: Use = (_, [calls]) => useResource(...(calls as [[ReadShape, object]]))
const useCacheOfShape: Use = (target, [params]) => useCache(readShapeOf(target), params)

/** The hooks of 4.5, called as the suite wants it. */
export const legacyHooks: Readonly<Record<LegacyHook, Use>> = {
  useResource: (target, [params]) => useResource(readShapeOf(target), params),
  'useResource of several': useSeveral,
  'useCache of a shape': useCacheOfShape,
  useRetrieve: (target, [params]) => useRetrieve(readShapeOf(target), params),
  useError: (target, [params]) => useError(readShapeOf(target), params),
  useFetcher: (target) => useFetcher(shapeOf(target)),
  useInvalidator: (target) => useInvalidator(readShapeOf(target)),
  useResetter: () => useResetter(),
}
