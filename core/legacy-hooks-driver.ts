import { shapeOf } from '@selfsame/conformance'
import type { HookArgs, LegacyHook, ReadHook, ReadTarget } from '@selfsame/conformance'
import type { Controller, EndpointLike } from '@selfsame/core'
import { fetchShape, toEndpoint, toEndpointAfter } from '@selfsame/core/legacy'
import type { ShapeLike, UpdateParam } from '@selfsame/core/legacy'
import type { SmallReader } from './small-hooks-driver.js'

/** The current hook that does the same with the endpoint of a shape. */
const hooks = {
  useResource: 'useSuspense',
  'useResource of several': 'useSuspenseAll',
  'useCache of a shape': 'useCache',
  useRetrieve: 'useFetch',
} as const

/** A reader's hook and its input, as the current generation names them. */
export interface Reading {
  readonly hook: ReadHook
  readonly target: ReadTarget
  readonly args: HookArgs
}

/** @param last - the previous target of the reader */
export function toReading(hook: ReadHook, target: ReadTarget, args: HookArgs, last?: unknown): Reading {
  if (!isLegacy(hook)) return { hook, target, args }
  if (hook === 'useResource of several') {
    const calls = args[0] as readonly (readonly [ShapeLike, object | null])[]
    return {
      hook: hooks[hook],
      target: toEndpoint(shapeOf(target)),
      args: [calls.map(([shape, params]) => [toEndpoint(shape), params])],
    }
  }
  const endpoint = toEndpointAfter(last as EndpointLike | undefined, shapeOf(target), args[0])
  return { hook: hook in hooks ? hooks[hook as keyof typeof hooks] : hook, target: endpoint, args } as Reading
}

const isLegacy = (hook: ReadHook): hook is LegacyHook => hook in hooks || hook in makers

/** Creates the reader of a hook of 4.5 that has no counterpart; `undefined` for any other hook. */
export function createLegacyReader(hook: string, controller: Controller): SmallReader | undefined {
  return makers[hook as keyof typeof makers]?.(controller)
}

const makers: Readonly<
  Record<Exclude<LegacyHook, keyof typeof hooks>, (controller: Controller) => SmallReader>
> = {
  useError: () => ({
    select: (observer) => observer.getSnapshot().error,
    read: (observer) => observer.getSnapshot().error,
  }),
  useFetcher(controller) {
    let current: EndpointLike
    const fetch = (params: unknown, body?: unknown, updates?: readonly UpdateParam[]) =>
      fetchShape(controller, current, params, body, updates)
    return {
      read(_, endpoint) {
        current = endpoint
        return fetch
      },
    }
  },
  useInvalidator(controller) {
    let current: EndpointLike
    const invalidate = (params: unknown) => controller.invalidate(current, params)
    return {
      read(_, endpoint) {
        current = endpoint
        return invalidate
      },
    }
  },
  useResetter: (controller) => ({ read: () => controller.resetAll }),
}
