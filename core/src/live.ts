export { connect, connectCall } from './live/connect.js'
export { webSocket } from './live/web-socket.js'
export type {
  HeartbeatOptions,
  LiveSocket,
  SocketConstructor,
  SocketLike,
  SocketStreamOptions,
  WebSocketOptions,
} from './live/web-socket.js'
export { eventSource } from './live/event-source.js'
export type {
  EventSourceConstructor,
  EventSourceLike,
  EventSourceOptions,
  LiveEvents,
  ServerEvent,
} from './live/event-source.js'
export { graphqlSubscriptions } from './live/graphql-subscriptions.js'
export type {
  GraphQLSubscriptionsOptions,
  LiveSubscriptions,
  RootOf,
  SubscriptionClient,
  SubscriptionResult,
  SubscriptionStreamOptions,
} from './live/graphql-subscriptions.js'
export type { StreamReconnectOptions as ReconnectOptions } from './live/reconnect-delay.js'
export type { LiveOptions } from './live/connection.js'
export type { Refetch, StoredAs, StreamOptions } from './live/stream-options.js'
export type { StreamSink } from './endpoint/endpoint.js'
