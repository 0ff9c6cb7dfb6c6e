import type { Server } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { changeKinds, type Changes } from './changes.js'
import type { Ticker } from './ticker.js'

/** A message of a client. */
const request = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['subscribe', 'unsubscribe']), channel: z.enum([...changeKinds, 'ticker']) }),
  z.strictObject({ type: z.literal('ping') }),
])

type Channel = Extract<z.infer<typeof request>, { channel: string }>['channel']

interface SocketOptions {
  readonly changes: Changes
  readonly ticker: Ticker
  /** Returns true if pages of that origin may connect. */
  readonly isAllowed: (origin: string) => boolean
}

/**
 * Tells clients at `/live` of changes and prices, those that they subscribed to.
 *
 * @returns a function that hangs up on all
 */
export function serveSockets(http: Server, { changes, ticker, isAllowed }: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 })
  http.on('upgrade', (upgrade, connection, head) => {
    const { pathname } = new URL(upgrade.url ?? '', 'http://localhost')
    const { origin } = upgrade.headers
    if (pathname !== '/live' || (origin !== undefined && !isAllowed(origin))) {
      connection.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(upgrade, connection, head, (socket) => serve(socket, changes, ticker))
  })
  return () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }
}

function serve(socket: WebSocket, changes: Changes, ticker: Ticker): void {
  const subscriptions = new Map<Channel, () => void>()
  const send = (message: object) => socket.send(JSON.stringify(message))
  const listen = (channel: Channel) =>
    channel === 'ticker'
      ? ticker.subscribe((tick) => send({ channel, ...tick }))
      : changes.subscribe(({ kind, type, record }) => kind === channel && send({ channel, type, record }))

  socket.on('message', (data) => {
    const message = parse(String(data))
    if (message === undefined) return socket.close(1008, 'This message is not understood.')
    if (message.type === 'ping') return send({ type: 'pong' })
    const { channel } = message
    subscriptions.get(channel)?.()
    if (message.type === 'subscribe') subscriptions.set(channel, listen(channel))
    else subscriptions.delete(channel)
  })
  socket.on('close', () => {
    for (const end of subscriptions.values()) end()
  })
  // A `close` event follows.
  socket.on('error', () => {})
}

function parse(text: string): z.infer<typeof request> | undefined {
  try {
    return request.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
