import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createRestServer, type SeedSizes } from '@selfsame/demo-server'
import { restPrefix } from '@selfsame/demo-shared/application'
import {
  applicationSizes,
  isDesign,
  passOn,
  passSocketOn,
  sendDesign,
  type Application,
} from '@selfsame/demo-shared/server'
import { documentOf } from './document.js'
import { sendListOfPages } from './list-of-pages.js'
import { listPath } from './list-path.js'
import { frontPage, pages, type DemoPage } from './pages.js'
import { findPort, listen } from './port.js'
import { sendSource, sourcePrefix } from './source.js'

const host = '127.0.0.1'

export interface DemoOptions {
  /** `0` takes any free port. @default 0 */
  readonly port?: number
  /** The number of records to seed. */
  readonly sizes?: Partial<SeedSizes>
  /** If true, applications are rendered on the server, with their data. @default false */
  readonly isServerRendered?: boolean
  /**
   * If true, pages are compiled when they are asked for, and update when the sources change. Else each is one bundle.
   *
   * @default false
   */
  readonly watches?: boolean
  /** If true, all pages are prepared while the REST server starts; else the first request of each prepares it. @default false */
  readonly preparesAll?: boolean
}

export interface Demo {
  /** The URL of the front page, without a slash at the end. */
  readonly url: string
  /** The URL of the REST server, which pages also reach below `/rest`. */
  readonly restUrl: string
  close(): Promise<void>
}

/**
 * Serves all pages and, in the same process, the REST server that they show.
 *
 * @throws {PortError} when the port cannot be had
 */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const { port = 0, sizes, isServerRendered = false, watches = false } = options
  const started = new Map<DemoPage, Promise<Application>>()
  const http = createHttpServer((request, response) => void answer(request, response))
  const url = `http://${host}:${await listen(http, port, host)}`
  const restPort = await findPort(0, host)
  const restUrl = `http://${host}:${restPort}`
  http.on('upgrade', (request, socket, head) => {
    // Vite handles its own sockets.
    if (isBelow(request, `${restPrefix}/`)) passSocketOn(restUrl, request, socket, head)
  })

  function start(page: DemoPage): Promise<Application> {
    const application =
      started.get(page) ??
      page
        .load()
        .then((module) =>
          module.start({ base: page.base, restUrl, isServerRendered, http, watches, isBuilt: !watches }),
        )
    started.set(page, application)
    return application
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (isBelow(request, `${restPrefix}/`)) return passOn(restUrl, request, response)
      if (isBelow(request, sourcePrefix)) return await sendSource(request, response)
      const page = pages.find(({ base }) => isBelow(request, base))
      if (page !== undefined)
        return (await start(page)).handle(request, response, () => sendNotFound(response))
      if (request.url === '/') return void response.writeHead(302, { Location: frontPage.base }).end()
      if (request.url === listPath) return sendListOfPages(response, isServerRendered)
      if (isDesign(request.url ?? '')) return await sendDesign(request.url ?? '', response)
      sendNotFound(response)
    } catch (error) {
      console.error(error)
      response.writeHead(500).end()
    }
  }

  async function close(): Promise<void> {
    const applications = await Promise.all(started.values())
    await Promise.all(applications.map((application) => application.close()))
    await rest.close()
    http.close()
    http.closeAllConnections()
  }

  // A page that fails is tried again by the request for it, which says so.
  const prepare = (page: DemoPage) => start(page).catch(() => started.delete(page))
  // The front page answers first, then the others are made side by side.
  if (options.preparesAll) void prepare(frontPage)
  const rest = await createRestServer({ host, port: restPort, sizes: { ...applicationSizes, ...sizes } })
  if (options.preparesAll) for (const page of pages) void prepare(page)
  return {
    url,
    restUrl,
    close,
  }
}

function isBelow(request: IncomingMessage, base: string): boolean {
  const path = request.url?.split('?', 1)[0] ?? ''
  return `${path}/`.startsWith(base)
}

function sendNotFound(response: ServerResponse): void {
  response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' })
  response.end(
    documentOf(
      'Page not found',
      `<h1>Page not found</h1>
<p class="lead">The demo has no page at this address.</p>
<p><a href="${listPath}">All pages</a></p>`,
    ),
  )
}
