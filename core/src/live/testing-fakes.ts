import type { EventSourceLike } from './event-source.js'
import type { SocketLike } from './web-socket.js'

/** A socket whose server is played by the test. */
export class FakeSocket implements SocketLike {
  binaryType = 'blob'
  readonly sent: unknown[] = []
  isClosed = false
  readonly url: string
  readonly protocols: string | string[] | undefined
  readonly #listeners = new Map<string, (event: unknown) => void>()

  constructor(url: string, protocols?: string | string[]) {
    this.url = url
    this.protocols = protocols
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.#listeners.set(type, listener)
  }

  send(data: unknown): void {
    this.sent.push(typeof data === 'string' && data.startsWith('{') ? JSON.parse(data) : data)
  }

  close(): void {
    this.isClosed = true
  }

  // --- actions of the server ---

  accept(): void {
    this.#listeners.get('open')?.({})
  }

  /** Sends messages, each as JSON. */
  tell(...messages: readonly unknown[]): void {
    for (const message of messages) this.tellRaw(JSON.stringify(message))
  }

  tellRaw(data: unknown): void {
    this.#listeners.get('message')?.({ data })
  }

  hangUp(code = 1006, reason = ''): void {
    this.#listeners.get('error')?.({})
    this.#listeners.get('close')?.({ code, reason })
  }
}

/** A constructor of sockets, and the sockets that it created. */
export function createSockets() {
  const sockets: FakeSocket[] = []
  class Socket extends FakeSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols)
      sockets.push(this)
    }
  }
  const last = (): FakeSocket => {
    const socket = sockets.at(-1)
    if (socket === undefined) throw new Error('No socket was made.')
    return socket
  }
  return { Socket, sockets, last }
}

/** An event source whose server is played by the test. */
export class FakeEventSource implements EventSourceLike {
  readyState = 0
  readonly url: string
  readonly withCredentials: boolean
  isClosed = false
  readonly #listeners = new Map<string, (event: unknown) => void>()

  constructor(url: string, { withCredentials = false }: { withCredentials?: boolean } = {}) {
    this.url = url
    this.withCredentials = withCredentials
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.#listeners.set(type, listener)
  }

  close(): void {
    this.isClosed = true
  }

  // --- actions of the server ---

  accept(): void {
    this.readyState = 1
    this.#listeners.get('open')?.({})
  }

  tell(type: string, data: unknown, lastEventId = ''): void {
    this.#listeners.get(type)?.({ type, data: JSON.stringify(data), lastEventId })
  }

  /** Drops the connection; the browser reconnects by itself. */
  interrupt(): void {
    this.readyState = 0
    this.#listeners.get('error')?.({})
  }

  /** Responds with an error, after which the browser gives up. */
  refuse(): void {
    this.readyState = 2
    this.#listeners.get('error')?.({})
  }
}

/** A constructor of event sources, and those that it created. */
export function createEventSources() {
  const sources: FakeEventSource[] = []
  class Source extends FakeEventSource {
    constructor(url: string, init?: { withCredentials?: boolean }) {
      super(url, init)
      sources.push(this)
    }
  }
  const last = (): FakeEventSource => {
    const source = sources.at(-1)
    if (source === undefined) throw new Error('No event source was made.')
    return source
  }
  return { Source, sources, last }
}
