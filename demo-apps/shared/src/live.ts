import { eventSource, webSocket } from '@selfsame/core/live'
import type { EventSourceConstructor, SocketConstructor } from '@selfsame/core/live'
import type { Article } from './article.js'

/** What makes live connections, where the platform does not. */
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

/** A message of the socket: of a channel that was subscribed to, or the answer to a ping. */
export interface LiveMessage {
  readonly channel?: string
  readonly type?: string
  readonly record?: unknown
}

/**
 * Describes the live connections of the demo's server. Nothing is connected until somebody reads.
 *
 * @param urlPrefix - the server's address, or a path on the page's own server
 */
export function createLive(urlPrefix = '', options: LiveOptions = {}) {
  return {
    /** Changes of articles, by server-sent events. */
    articleChanges: eventSource<ChangeEvents<Article>>(`${urlPrefix}/events?kind=article`, {
      events: ['created', 'updated', 'deleted'],
      EventSource: options.EventSource,
    }),
    /** How often an article was opened: opening this is a view. */
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
