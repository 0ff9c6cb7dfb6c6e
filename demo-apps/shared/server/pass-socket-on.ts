import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { restPrefix } from '../src/application/api.js'

/** Passes a WebSocket below `/rest` on to the REST server. */
export function passSocketOn(restUrl: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { hostname, port } = new URL(restUrl)
  const { rawHeaders } = request
  const path = request.url?.slice(restPrefix.length) ?? '/'
  const lines = [`GET ${path} HTTP/1.1`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  }
  const passed = connect(Number(port), hostname)
  passed.write(`${lines.join('\r\n')}\r\n\r\n`)
  passed.write(head)
  // When one end disconnects, closes the other.
  for (const [from, to] of [
    [socket, passed],
    [passed, socket],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
}
