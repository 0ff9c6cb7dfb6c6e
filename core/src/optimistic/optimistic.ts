import type { CacheSnapshot, OptimisticResponse } from '../endpoint/endpoint.js'
import type { OptimisticMembers } from '../rest/rest-types.js'
import type { Schema } from '../schema/schema.js'
import { membersOf } from './resource-members.js'
import { toResponse } from './show-early.js'

/** The type of `optimistic`. */
export interface Optimistic {
  <const Args extends readonly unknown[]>(
    expect: (snapshot: CacheSnapshot, ...args: Args) => unknown,
  ): OptimisticResponse<Args>
  readonly membersOf: (schema: Schema) => OptimisticMembers
}

/**
 * Shows a mutation before it is answered: at once, on top of what was received, until it is answered or fails. Several at
 * once are each confirmed or taken back alone.
 *
 * Of an endpoint it takes what the response is expected to be, in the form of the schema: a pure function, which is called
 * again whenever what it read or wrote changes below it. `undefined` shows nothing early. To a resource it is given as it
 * is: then each mutation is expected to do what it is sent for.
 *
 * What this takes of a bundle is in those applications alone that import it. It may be imported by a route that is loaded
 * later.
 *
 * @param expect - gives the expected answer; `snapshot` reads what is below, and has an id and a time that stay the same
 * @returns the option `getOptimisticResponse` of an endpoint
 * @see specification 4.1, Optimistic updates
 * @example const todoResource = createResource({ path: '/todo/:id', schema: Todo, optimistic })
 * @example
 * const vote = new RestEndpoint({
 *   path: '/post/:id/vote',
 *   method: 'POST',
 *   body: undefined,
 *   schema: Post,
 *   getOptimisticResponse: optimistic((snapshot, { id }) => {
 *     const post = snapshot.get(Post, { id })
 *     return post && { id, votes: post.votes + 1 }
 *   }),
 * })
 */
export const optimistic: Optimistic = /* @__PURE__ */ Object.assign(toResponse, { membersOf })
