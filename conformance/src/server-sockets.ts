import type { SocketLike } from '@selfsame/core/live'

/** A socket of a client, and the server's end of it. */
class ServerSocket implements SocketLike {
  binaryType = 'blob'
  /** What is on its way to the client. */
  readonly waiting: (() => void)[] = []
  /** `true` from when the server accepted it: then it gets all messages. */
  isAccepted = false
  isClosed = false
  readonly #listeners = new Map<string, (event: unknown) => void>()

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.#listeners.set(type, listener)
  }

  send(): void {
    throw new Error('These clients send nothing.')
  }

  close(): void {
    this.isClosed = true
  }

  accept(): void {
    this.isAccepted = true
    this.waiting.push(() => this.#listeners.get('open')?.({}))
  }

  tell(data: string): void {
    this.waiting.push(() => this.#listeners.get('message')?.({ data }))
  }

  /** What is on its way is lost. */
  hangUp(): void {
    this.isClosed = true
    this.#listeners.get('close')?.({ code: 1006, reason: '' })
  }
}

/** The sockets of one server. What it sends waits until it is delivered. */
export class ServerSockets {
  #sockets: readonly ServerSocket[] = []
  /** The `WebSocket` of clients. */
  readonly WebSocket: new () => SocketLike

  constructor() {
    const add = (socket: ServerSocket) => (this.#sockets = [...this.#open, socket])
    this.WebSocket = class extends ServerSocket {
      constructor() {
        super()
        add(this)
      }
    }
  }

  get #open(): readonly ServerSocket[] {
    return this.#sockets.filter(({ isClosed }) => !isClosed)
  }

  /** Sends a message to all clients that are connected. */
  tell(message: unknown): void {
    for (const socket of this.#open) if (socket.isAccepted) socket.tell(JSON.stringify(message))
  }

  /** Lets a client connect, or one message through. @returns `false` if nothing was to do */
  deliver(): boolean {
    const socket = this.#open.find(({ isAccepted, waiting }) => !isAccepted || waiting.length > 0)
    if (socket === undefined) return false
    if (socket.isAccepted) socket.waiting.shift()?.()
    else socket.accept()
    return true
  }

  /** Closes all connections. @returns `false` if there is none */
  hangUp(): boolean {
    const open = this.#open
    for (const socket of open) socket.hangUp()
    return open.length > 0
  }
}
