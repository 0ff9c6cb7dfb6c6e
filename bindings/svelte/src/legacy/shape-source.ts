import type { EndpointLike, ReadEndpoint } from '@selfsame/core'
import { plainOf } from '@selfsame/core/bindings'
import { toEndpointAfter } from '@selfsame/core/legacy'
import type { ShapeLike } from '@selfsame/core/legacy'
import type { Readable } from 'svelte/store'
import { toGetter } from '../arguments.js'
import type { Reactive } from '../arguments.js'

/** The shape, or the endpoint, of a hook: given itself, by a getter or in a store. */
export type ShapeIn<S> = S extends ShapeLike
  ? S
  : S extends Readable<infer Shape>
    ? Shape
    : S extends () => infer Shape
      ? Shape
      : never

/** Params, or a getter or a store of them. */
export type ParamsSource<Params> = Params | Readable<Params> | (() => Params)

/** A getter of a shape's endpoint. It returns the same endpoint as long as new shapes name the same call. */
export function endpointOf<E extends EndpointLike = ReadEndpoint>(
  shape: Reactive<ShapeLike>,
  params: unknown,
): () => E {
  const shapeNow = toGetter(shape) as () => ShapeLike
  const paramsNow = toGetter(params)
  let last: EndpointLike | undefined
  return () => {
    last = toEndpointAfter(last, shapeNow(), plainOf(paramsNow()))
    // The shape's type says so.
    return last as E
  }
}
