import type { GraphQLError } from 'graphql'
import { createGraphQLError, createSchema, createYoga } from 'graphql-yoga'
import { Hono } from 'hono'
import { fromConstraint } from '../constraint-error.js'
import type { Database } from '../database.js'
import { RequestError } from '../errors.js'
import { createResolvers } from '../graphql/resolvers.js'
import { typeDefs } from '../graphql/type-defs.js'

/** GraphQL for the records of the other routes. */
export function graphqlRoutes(database: Database): Hono {
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers: createResolvers(database) }),
    graphqlEndpoint: '*',
    maskedErrors: { maskError: toGraphQLError },
    // Off: the app sets CORS headers for all routes, and these pages would load from a CDN.
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  })
  const routes = new Hono({ strict: false })
  routes.on(['GET', 'POST'], '/', (c) => yoga.fetch(c.req.raw))
  return routes
}

/** Converts an error like the REST routes: its name becomes the `code`, beside the invalid fields. */
function toGraphQLError(error: unknown): Error {
  const at = isGraphQLError(error) ? error : undefined
  const cause: unknown = at === undefined ? error : at.originalError
  // Without another cause, the error concerns the document or its variables.
  if (at !== undefined && (cause === undefined || isGraphQLError(cause))) return at
  const known = cause instanceof RequestError ? cause : fromConstraint(cause)
  if (known === undefined) console.error(cause)
  const { error: code, message, fields } = (known ?? unexpected).body
  return createGraphQLError(message, {
    ...(at !== undefined && { nodes: at.nodes ?? null, path: at.path ?? null }),
    extensions: { code, ...(fields !== undefined && { fields }) },
  })
}

const unexpected = new RequestError('internal', 'A field of POST /graphql failed. The server printed why.')

/** By name, because `graphql` may be loaded twice: once by `import` and once by `require`. */
function isGraphQLError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError'
}
