import type { CacheSnapshot, OptimisticResponse } from '../endpoint/endpoint.js'
import type { OptimisticMembers } from '../rest/rest-types.js'
import type { Schema } from '../schema/schema.js'
import { optimisticMembersOf } from './resource-members.js'
import { toResponse } from './show-early.js'

/** The type of `optimistic`. */
export interface Optimistic {
  <const Args extends readonly unknown[], Expected>(
    expect: (snapshot: CacheSnapshot, ...args: Args) => Expected,
  ): OptimisticResponse<Args, Expected>
  readonly membersOf: (schema: Schema) => OptimisticMembers
}

/**
 * Shows the effect of a mutation on top of the received data, until its response or failure. Concurrent mutations are
 * confirmed or undone independently.
 *
 * For an endpoint, pass a function that returns the expected response in the form of the schema. It must be pure: it
 * runs again whenever data that it read or wrote changes. If it returns `undefined`, nothing is shown before the
 * response. For a resource, pass `optimistic` itself: then Selfsame expects each mutation to do what it requests of the server
 * for.
 *
 * Only applications that import this ship its code. A lazily loaded route may import it.
 *
 * @param expect - returns the expected response. `snapshot` reads the data without this mutation, and has an id and a
 *   time that stay the same when the function runs again
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
export const optimistic: Optimistic = /* @__PURE__ */ Object.assign(toResponse, {
  membersOf: optimisticMembersOf,
})
