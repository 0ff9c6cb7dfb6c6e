import type { StreamSink } from '../endpoint/endpoint.js'
import { parseDocument, textOf } from '../graphql/document.js'
import type { DocumentPrinter, GQLDocument, ResultOf, UntypedDocument } from '../graphql/document.js'
import { errorsIn, textOfErrors } from '../graphql/gql-network-error.js'
import { isPlainObject } from '../util/plain.js'
import { stableStringify } from '../util/stable-stringify.js'
import { checkLiveOptions } from './connection.js'
import type { Line, LineEvents, LiveOptions, StreamTransport } from './connection.js'
import { Connections } from './connections.js'
import { toMember } from './stream-options.js'
import type { StreamOptions } from './stream-options.js'

/** The part of a GraphQL subscription client that is used here. Those of `graphql-ws` and `graphql-sse` fit. */
export interface SubscriptionClient {
  subscribe(
    request: { query: string; operationName?: string; variables?: Record<string, unknown> },
    sink: { next(result: SubscriptionResult): void; error(error: unknown): void; complete(): void },
    /** Events of `graphql-sse`. */
    on?: { connected?: (isReconnected: boolean) => void },
  ): () => void
  /** Events of `graphql-ws`. */
  on?(
    event: 'connected',
    listener: (socket: unknown, payload: never, isReconnected: boolean) => void,
  ): () => void
}

/** A result of a subscription. */
export interface SubscriptionResult {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly unknown[] | undefined
}

/** Options of `graphqlSubscriptions`: those of all connections, and these. The client itself reconnects. */
export interface GraphQLSubscriptionsOptions extends Omit<LiveOptions<never>, 'topicOf' | 'reconnect'> {
  /** Prints document nodes. @default a small built-in printer */
  readonly print?: DocumentPrinter | undefined
}

/** How one endpoint uses the results of a subscription. A message is the value of its root field. */
export type SubscriptionStreamOptions<Message, Args extends readonly unknown[]> = Omit<
  StreamOptions<Message, Args>,
  'topic'
> & {
  /** Returns the variables of the subscription. @default the first argument of the call */
  readonly variables?: ((...args: Args) => object | undefined) | undefined
}

/** The value of the root field. A subscription has exactly one. @see GraphQL specification (October 2021) 5.2.3.1 */
export type RootOf<Result> = unknown extends Result ? unknown : Result[keyof Result]

/** GraphQL subscriptions, as `graphqlSubscriptions` describes them. */
export interface LiveSubscriptions {
  /**
   * Creates a `stream` for an endpoint, which receives the results of a subscription.
   *
   * @param document - one subscription: text, a function from the variables to text, or a document node
   * @throws {SelfsameError} in development `definition-invalid` for a document without exactly one subscription
   * @see specification 6
   */
  stream<const Document extends GQLDocument, Args extends readonly unknown[]>(
    document: Document,
    options?: SubscriptionStreamOptions<RootOf<ResultOf<Document>>, Args>,
  ): (sink: StreamSink, ...args: Args) => () => void
  stream<Message, Args extends readonly unknown[] = readonly unknown[]>(
    document: UntypedDocument,
    options?: SubscriptionStreamOptions<Message, Args>,
  ): (sink: StreamSink, ...args: Args) => () => void
}

/**
 * Describes GraphQL subscriptions that keep endpoints fresh, over a client of `graphql-ws` or `graphql-sse`. Calls with
 * the same document and variables share one subscription. The first connected call starts it, and after the last one it ends.
 * When the client reconnects, the calls become Stale, because they may have missed results.
 *
 * @param client - the client, or a function that returns it when a subscription starts
 * @throws {SelfsameError} in development `definition-invalid` for a time that is negative or too long for a timer
 * @see specification 6
 * @example
 * const live = graphqlSubscriptions(createClient({ url: 'wss://api.example.com/graphql' }))
 *
 * const getArticle = gql
 *   .query((_: { id: string }) => `query ($id: ID!) { article(id: $id) { id title } }`, { article: Article })
 *   .extend({
 *     stream: live.stream('subscription ($id: ID!) { articleChanged(id: $id) { id title } }', { schema: Article }),
 *   })
 */
export function graphqlSubscriptions(
  client: SubscriptionClient | (() => SubscriptionClient),
  options: GraphQLSubscriptionsOptions = {},
): LiveSubscriptions {
  checkLiveOptions('graphqlSubscriptions', options)
  const clientOf = typeof client === 'function' ? client : () => client
  const connections = new Connections<SubscriptionResult, SubscriptionResult>()
  return {
    stream(
      document: GQLDocument,
      streamOptions: SubscriptionStreamOptions<unknown, readonly unknown[]> = {},
    ) {
      const { variables: variablesOf = (first?: unknown) => first as object | undefined } = streamOptions
      const parse = (variables: unknown) =>
        parseDocument(
          textOf(document, variables, options.print),
          'subscription',
          'graphqlSubscriptions.stream()',
        )
      if (typeof document !== 'function') parse(undefined)
      const memberOf = toMember<unknown, readonly unknown[]>(
        { schemaAttribute: '__typename', ...streamOptions } as StreamOptions<unknown, readonly unknown[]>,
        (message) => message,
      )
      return (sink: StreamSink, ...args: readonly unknown[]) => {
        const variables = variablesOf(...args)
        const { text, compact, name } = parse(variables)
        const request = {
          query: text,
          ...(name !== undefined && { operationName: name }),
          ...(variables !== undefined && { variables: variables as Record<string, unknown> }),
        }
        const member = memberOf(sink, args)
        return connections.join(
          `${compact} ${stableStringify(variables ?? {})}`,
          () => createTransport(name, request, clientOf, options),
          { ...member, receive: (result) => member.receive(rootFieldOf(result)) },
        )
      }
    },
  }
}

function createTransport(
  name: string | undefined,
  request: Parameters<SubscriptionClient['subscribe']>[0],
  clientOf: () => SubscriptionClient,
  options: GraphQLSubscriptionsOptions,
): StreamTransport<SubscriptionResult, SubscriptionResult> {
  return {
    name: `subscription ${name ?? 'without a name'}`,
    options,
    parse: (result) => result,
    open: (events) => openLine(clientOf(), request, events),
  }
}

function openLine(
  client: SubscriptionClient,
  request: Parameters<SubscriptionClient['subscribe']>[0],
  events: LineEvents<SubscriptionResult>,
): Line {
  const connected = (isReconnected: boolean) => {
    if (!isReconnected) return
    events.interrupted(false)
    events.opened()
  }
  const stopListening = client.on?.('connected', (_socket, _payload, isReconnected) =>
    connected(isReconnected),
  )
  const end = client.subscribe(
    request,
    {
      next: (result) => events.received(result),
      // The client has retried by its own rules. What is left is a refusal.
      error: (cause) => events.lost(true, cause),
      complete: () => {},
    },
    { connected },
  )
  // A server does not confirm subscriptions.
  events.opened()
  return {
    send: () => {},
    close() {
      stopListening?.()
      end()
    },
  }
}

/** @throws {Error} for a result with errors, whose texts may hold data of a user */
function rootFieldOf(result: SubscriptionResult): unknown {
  const found = errorsIn(result)
  if (found.length > 0) {
    const error = new Error(`The result has ${textOfErrors(found)}`, { cause: found })
    error.name = 'GraphQLError'
    throw error
  }
  return isPlainObject(result.data) ? Object.values(result.data)[0] : undefined
}
