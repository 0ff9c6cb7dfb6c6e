import { createServer as createHttpServer, request as requestHttp } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { restPrefix } from '../src/application/api.js'
import type { StartApplication } from './application.js'
import { passSocketOn } from './pass-socket-on.js'

export interface SiteOptions {
  readonly start: StartApplication
  readonly restUrl: string
  /** @default '/' */
  readonly base?: string | undefined
  /** `0` takes any free port. @default 0 */
  readonly port?: number | undefined
  readonly isServerRendered?: boolean | undefined
  /** @see ApplicationOptions.isBuilt */
  readonly isBuilt?: boolean | undefined
  /** If true, pages update when the sources change. @default false */
  readonly watches?: boolean | undefined
}

export interface Site {
  /** The address of the application, with a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** Serves one application, and the REST server below `/rest` of the same origin. */
export async function serveSite(options: SiteOptions): Promise<Site> {
  const { start, restUrl, base = '/', port = 0, isServerRendered, isBuilt, watches = false } = options
  const http = createHttpServer((request, response) => {
    if (request.url?.startsWith(`${restPrefix}/`)) return passOn(restUrl, request, response)
    application.handle(request, response, () => response.writeHead(404).end())
  })
  http.on('upgrade', (request, socket, head) => {
    // Vite handles its own sockets.
    if (request.url?.startsWith(`${restPrefix}/`)) passSocketOn(restUrl, request, socket, head)
  })
  const application = await start({ base, restUrl, http, isServerRendered, isBuilt, watches })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const { port: bound } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}${base}`,
    close: async () => {
      await application.close()
      await closeHttp(http)
    },
  }
}

/** Passes a request below `/rest` on to the REST server. */
export function passOn(restUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const { host } = new URL(restUrl)
  const path = request.url?.slice(restPrefix.length) ?? '/'
  const passed = requestHttp(restUrl + path, {
    method: request.method ?? 'GET',
    headers: { ...request.headers, host },
  })
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // Sends the headers before the first server-sent event.
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  // The client disconnected, so the request is aborted.
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}

function closeHttp(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve())
    http.closeAllConnections()
  })
}
