import type { StreamSink } from '../endpoint/endpoint.js'
import { Connection } from './connection.js'
import type { Member, Transport } from './connection.js'

/** The connections of one definition. Each Controller has its own, and a reset closes them. */
export class Connections<Raw, Message> {
  readonly #bySession = new WeakMap<AbortSignal, Map<string, Connection<Raw, Message>>>()

  /**
   * Joins the connection of an address, and opens it if necessary.
   *
   * @param address - identifies the connection within the definition
   * @param transport - creates the transport of a new connection
   * @returns a function that leaves the connection
   */
  join(address: string, transport: () => Transport<Raw, Message>, member: Member<Message>): () => void {
    const { session, clock } = member.sink
    const connections = this.#ofSession(session)
    let connection = connections.get(address)
    if (connection === undefined) {
      const made = new Connection(transport(), clock, () => {
        if (connections.get(address) === made) connections.delete(address)
      })
      connections.set(address, made)
      connection = made
    }
    return connection.join(member)
  }

  #ofSession(session: StreamSink['session']): Map<string, Connection<Raw, Message>> {
    let connections = this.#bySession.get(session)
    if (connections === undefined) {
      const made = new Map<string, Connection<Raw, Message>>()
      this.#bySession.set(session, (connections = made))
      session.addEventListener('abort', () => {
        for (const connection of [...made.values()]) connection.close()
      })
    }
    return connections
  }
}

/** An address for error messages: without its query, which may hold a token. */
export function displayOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? ''
}
