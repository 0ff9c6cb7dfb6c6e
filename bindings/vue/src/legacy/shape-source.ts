import type { EndpointLike, ReadEndpoint } from '@selfsame/core'
import { toEndpointAfter } from '@selfsame/core/legacy'
import type { ShapeLike } from '@selfsame/core/legacy'
import type { Ref } from 'vue'
import { argsOf, sourceOf } from '../arguments.js'
import type { Source } from '../arguments.js'

/** The shape, or the endpoint, of a source. */
export type ShapeIn<S> = S extends ShapeLike
  ? S
  : S extends Readonly<Ref<infer Shape>>
    ? Shape
    : S extends () => infer Shape
      ? Shape
      : never

/** Params, or a ref or getter of them. */
export type ParamsSource<Params> = Params | Readonly<Ref<Params>> | (() => Params)

/** A getter of a shape's endpoint. It returns the same endpoint as long as new shapes name the same call. */
export function endpointOf<E extends EndpointLike = ReadEndpoint>(
  shape: Source<ShapeLike>,
  params: unknown,
): () => E {
  let last: EndpointLike | undefined
  return () => {
    const [now] = argsOf([params])
    last = toEndpointAfter(last, sourceOf<ShapeLike>(shape), now)
    // The shape's type says so.
    return last as E
  }
}
