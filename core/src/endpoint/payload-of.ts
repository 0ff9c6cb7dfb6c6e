import type { Payload } from '../schema/payload.js'
import type { Schema } from '../schema/schema.js'
import type { DataOf } from './endpoint.js'

/**
 * The payload of an endpoint's calls, before normalization: every payload that the schema can turn into the data, or what the
 * function returns. The response of a mutation may be empty. Anything, if neither tells.
 *
 * `PayloadOf<typeof todoResource.get>` is `{ id?: number; title?: string; … }`.
 */
export type PayloadOf<E> = E extends (...args: never) => Promise<infer Answer>
  ? E extends { readonly schema: infer S extends Schema }
    ? | (E extends { readonly sideEffect: true } ? null : never)
      | Payload<S>
      | ([DataOf<E>] extends [Answer] ? never : Answer)
    : [Answer] extends [never]
      ? unknown
      : Answer
  : unknown
