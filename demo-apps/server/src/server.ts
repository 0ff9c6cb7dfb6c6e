import { createServer as createHttpServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { createApp, isLocal } from './app.js'
import { openDatabase, type Database } from './database.js'
import { RequestError } from './errors.js'
import { Changes } from './live/changes.js'
import { Presence } from './live/presence.js'
import { serveSockets } from './live/sockets.js'
import { Ticker } from './live/ticker.js'
import { Views } from './live/views.js'
import { seed, toSeedSizes, type SeedSizes } from './seed.js'

export type { SeedSizes } from './seed.js'

export interface ServerOptions {
  /** `0` takes any free port. @default 0 */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** The number of records to seed. Omitted kinds get their full number. */
  readonly sizes?: Partial<SeedSizes>
}

export interface DemoServer {
  /** The URL without a slash at the end, such as `http://127.0.0.1:4400`. */
  readonly url: string
  readonly port: number
  /** Disconnects all clients and frees the port. The records are lost. A second call does nothing. */
  close(): Promise<void>
}

/** Listening failed; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/**
 * Starts the demo's server over a freshly seeded database. It responds with 503 until the records are seeded.
 *
 * @returns the server, once it is ready to be used
 * @throws {ListenError} when the port is taken or may not be used
 * @throws {RangeError} when a seed size is negative, fractional, or 0 for users or articles
 * @example
 * const server = await createServer({ sizes: { articles: 100, comments: 500 } })
 * await fetch(`${server.url}/article/1`)
 * await server.close()
 */
export async function createServer(options: ServerOptions = {}): Promise<DemoServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const sizes = toSeedSizes(options.sizes)
  let app: Hono | undefined
  // The adapter would otherwise replace the Request and Response of the whole process.
  const http = createHttpServer(
    getRequestListener((request) => app?.fetch(request) ?? answerStarting(), {
      overrideGlobalObjects: false,
    }),
  )

  // Listens first, so that a taken port is reported before seconds of seeding.
  const boundPort = await listen(http, port, host)
  try {
    const database = await openSeeded(sizes)
    const changes = await Changes.watch(database)
    const ticker = new Ticker()
    const presence = new Presence()
    app = createApp(database, sizes, { changes, ticker, presence, views: new Views(database) })
    const hangUp = serveSockets(http, { changes, ticker, presence, isAllowed: isLocal })
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`
    const close = once(async () => {
      hangUp()
      ticker.stop()
      await closeBoth(http, database)
    })
    return { url, port: boundPort, close }
  } catch (error) {
    await closeHttp(http)
    throw error
  }
}

async function openSeeded(sizes: SeedSizes): Promise<Database> {
  const database = await openDatabase()
  try {
    await seed(database, sizes)
    return database
  } catch (error) {
    // An open database keeps the process alive.
    await database.close()
    throw error
  }
}

function answerStarting(): Response {
  const { body, status } = new RequestError(
    'starting',
    'The records are being seeded. Try again in a second.',
  )
  return Response.json(body, { status, headers: { 'Retry-After': '1' } })
}

function listen(http: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    http.listen(port, host, () => {
      const address = http.address()
      resolve(address !== null && typeof address === 'object' ? address.port : port)
    })
  })
}

function toListenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const remedy = `choose another port, for example: PORT=${port === 65_535 ? 4400 : port + 1} npm run demo`
  if (error.code === 'EADDRINUSE') {
    const message = `Port ${port} of ${host} is in use. Stop the program that uses it, or ${remedy}`
    return new ListenError(message, { cause: error })
  }
  if (error.code === 'EACCES') {
    return new ListenError(`Port ${port} of ${host} may not be used. Please ${remedy}`, { cause: error })
  }
  return error
}

async function closeBoth(http: Server, database: Database): Promise<void> {
  await closeHttp(http)
  await database.close()
}

function closeHttp(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve())
    http.closeAllConnections()
  })
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= action())
}
