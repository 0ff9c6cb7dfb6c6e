import { eventSource, webSocket } from '@selfsame/core/live'
import type { EventSourceConstructor, SocketConstructor } from '@selfsame/core/live'
import type { Article } from './article.js'

/** The constructors of live connections, for platforms without them. */
export interface LiveOptions {
  readonly WebSocket?: SocketConstructor
  readonly EventSource?: EventSourceConstructor
}

/** The events of a kind of record. */
export interface ChangeEvents<Record> {
  readonly created: Record
  readonly updated: Record
  readonly deleted: { readonly id: number }
}

/** A message of the socket: of a subscribed channel, or the response to a ping. */
export interface LiveMessage {
  readonly channel?: string
  /** Of the channel `tracker`: the kind of the record. */
  readonly kind?: string
  readonly type?: string
  readonly record?: unknown
  /** Of a channel `presence:5`: the id of the issue, and of the users who view it. */
  readonly id?: number
  readonly users?: readonly number[]
}

/**
 * Describes the live connections of the demo's server. They open when a reader connects.
 *
 * @param urlPrefix - the URL of the server, or a path on the page's own server
 */
export function createLive(urlPrefix = '', options: LiveOptions = {}) {
  return {
    /** Changes of articles, by server-sent events. */
    articleChanges: eventSource<ChangeEvents<Article>>(`${urlPrefix}/events?kind=article`, {
      events: ['created', 'updated', 'deleted'],
      EventSource: options.EventSource,
    }),
    /** The number of views of an article. Opening this connection counts as a view. */
    articleViews: eventSource<{ views: { readonly id: number; readonly viewCount: number } }>(
      ({ id }: { id: number | string }) => `${urlPrefix}/article/${id}/views`,
      { events: ['views'], EventSource: options.EventSource },
    ),
    /** Changes and prices, each after a subscription to its channel. */
    socket: webSocket<LiveMessage>(() => socketUrl(urlPrefix), {
      topicOf: ({ channel }) => channel,
      heartbeat: { everyMs: 30_000, message: { type: 'ping' } },
      reconnect: { delayMs: 200 },
      WebSocket: options.WebSocket,
    }),
  }
}

function socketUrl(urlPrefix: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  return new URL(`${urlPrefix}/live`, location?.href).href.replace(/^http/, 'ws')
}
