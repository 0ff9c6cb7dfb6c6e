import { createServer, type Server } from 'node:net'

/** The requested port is unavailable; the message says why and what to do. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/**
 * Lets a server listen.
 *
 * @param port - `0` takes any
 * @returns the port
 * @throws {PortError} when it is in use or may not be used
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toPortError(error, port, host)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/**
 * Finds a free port.
 *
 * @param wanted - `0` finds any free port
 * @returns the port
 * @throws {PortError} if it is in use or may not be used
 */
export async function findPort(wanted: number, host: string): Promise<number> {
  const probe = createServer()
  const port = await listen(probe, wanted, host)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function toPortError(cause: NodeJS.ErrnoException, port: number, host: string): PortError {
  const problem =
    cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${cause.code ?? cause.message})`
  const other = port === 65_535 ? 4173 : port + 1
  const message = `Port ${port} of ${host} ${problem}, so the demo was not started. Stop the program that uses it, or choose another port: PORT=${other} npm run demo`
  return new PortError(message, { cause })
}
