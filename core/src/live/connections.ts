import type { StreamSink } from '../endpoint/endpoint.js'
import { Connection } from './connection.js'
import type { Member, Transport } from './connection.js'

/** The connections of one definition: each Controller has its own, and none outlives a reset. */
export class Connections<Raw, Message> {
  readonly #bySession = new WeakMap<AbortSignal, Map<string, Connection<Raw, Message>>>()

  /**
   * @param address - names the connection among those of the definition
   * @param transport - makes it, if it is not there
   * @returns a function that leaves it
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

/** An address as messages show it: without its query, which may have a token. */
export function displayOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? ''
}
