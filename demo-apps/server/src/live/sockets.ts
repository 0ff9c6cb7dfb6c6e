import type { Server } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { changeKinds, type Change, type Changes } from './changes.js'
import type { Presence } from './presence.js'
import type { Ticker } from './ticker.js'

/** A message of a client. */
const request = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['subscribe', 'unsubscribe']),
    /** `tracker` tells of issues and users, `activity:5` what happens to issue 5, `presence:5` who views it. */
    channel: z.union([
      z.enum([...changeKinds, 'ticker', 'tracker']),
      z.templateLiteral([z.enum(['activity', 'presence']), ':', z.int().positive()]),
    ]),
    /** The id of the user who views the issue. */
    user: z.int().positive().optional(),
  }),
  z.strictObject({ type: z.literal('ping') }),
])

type Channel = Extract<z.infer<typeof request>, { channel: string }>['channel']

interface SocketOptions {
  readonly changes: Changes
  readonly ticker: Ticker
  readonly presence: Presence
  /** Returns true if pages of that origin may connect. */
  readonly isAllowed: (origin: string) => boolean
}

/**
 * Tells clients at `/live` of changes and prices, those that they subscribed to.
 *
 * @returns a function that hangs up on all
 */
export function serveSockets(http: Server, options: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 })
  http.on('upgrade', (upgrade, connection, head) => {
    const { pathname } = new URL(upgrade.url ?? '', 'http://localhost')
    const { origin } = upgrade.headers
    if (pathname !== '/live' || (origin !== undefined && !options.isAllowed(origin))) {
      connection.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(upgrade, connection, head, (socket) => serve(socket, options))
  })
  return () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }
}

function serve(socket: WebSocket, { changes, ticker, presence }: SocketOptions): void {
  const subscriptions = new Map<Channel, () => void>()
  const send = (message: object) => socket.send(JSON.stringify(message))
  const tellChanges = (channel: Channel, isWanted: (change: Change) => boolean) =>
    changes.subscribe((change) => {
      const { kind, type, record } = change
      if (isWanted(change)) send({ channel, ...(channel === 'tracker' && { kind }), type, record })
    })

  function listen(channel: Channel, user: number | undefined): () => void {
    if (channel === 'ticker') return ticker.subscribe((tick) => send({ channel, ...tick }))
    const [name, number] = channel.split(':')
    const issue = Number(number)
    if (name === 'presence') {
      return presence.enter(issue, { user }, (users) => send({ channel, id: issue, users }))
    }
    if (number !== undefined) {
      return tellChanges(channel, ({ kind, record }) => kind === 'activity' && record['issue'] === issue)
    }
    const kinds = channel === 'tracker' ? ['issue', 'user'] : [channel]
    return tellChanges(channel, ({ kind }) => kinds.includes(kind))
  }

  socket.on('message', (data) => {
    const message = parse(String(data))
    if (message === undefined) return socket.close(1008, 'This message is not understood.')
    if (message.type === 'ping') return send({ type: 'pong' })
    const { channel, user } = message
    subscriptions.get(channel)?.()
    if (message.type === 'subscribe') subscriptions.set(channel, listen(channel, user))
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
