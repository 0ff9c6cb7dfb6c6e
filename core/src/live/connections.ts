import { getOrMake } from '../util/get-or-make.js'
import { Connection } from './connection.js'
import type { StreamTransport } from './connection.js'
import type { Member } from './stream-options.js'

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
  join(address: string, transport: () => StreamTransport<Raw, Message>, member: Member<Message>): () => void {
    const { session, clock } = member.sink
    const connections = getOrMake(this.#bySession, session, () => {
      const made = new Map<string, Connection<Raw, Message>>()
      session.addEventListener('abort', () => [...made.values()].forEach((connection) => connection.close()))
      return made
    })
    const open = () => new Connection(transport(), clock, () => connections.delete(address))
    return getOrMake(connections, address, open).join(member)
  }
}

/** An address for error messages: without its query, which may hold a token. */
