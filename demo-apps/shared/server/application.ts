import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createServer as createViteServer, type PluginOption, type ViteDevServer } from 'vite'
import { tokenOf } from '../src/application/session.js'
import { restPrefix } from '../src/application/api.js'

/** Where an application is mounted, and what it needs from there. */
export interface ApplicationOptions {
  /** The path below which all of it is, such as `/react/`. */
  readonly base: string
  /** The address of the REST server, as this process reaches it. The page reaches it below `/rest`. */
  readonly restUrl: string
  /** What the page is served by, for the socket that tells of changed sources. */
  readonly http: Server
  /** Whether the page follows changes of the sources. @default false */
  readonly watches?: boolean | undefined
  /** Whether pages come rendered, with their data. @default false */
  readonly isServerRendered?: boolean | undefined
}

/** Answers what is below the base of an application, and leaves all else to `next`. */
export type Handle = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

export interface Application {
  readonly handle: Handle
  close(): Promise<void>
}

/** What `server.ts` of each application exports as `start`. */
export type StartApplication = (options: ApplicationOptions) => Promise<Application>

/** A page to render on the server. */
export interface PageRequest {
  /** Below the base, as the router of the application knows it: `/articles?q=sea`. */
  readonly path: string
  readonly base: string
  /** The token of the visitor. */
  readonly token: string | undefined
  /** Reaches the REST server, for the Controller of this request. */
  readonly fetch: typeof fetch
  /** Aborted when the visitor leaves. */
  readonly signal: AbortSignal
}

/** What `src/entry-server` of an application exports as `render`. */
export interface RenderedPage {
  /** The status of the answer. @default 200 */
  readonly status?: number | undefined
  /** Elements of the head, such as its title, as HTML. */
  readonly head?: string | undefined
  /** What is inside `<div id="app">`, with the state. */
  readonly body: string | ReadableStream<Uint8Array>
  /** The element with the state, where it stands outside of `#app`: at `<!--state-->`. @default none */
  readonly state?: string | undefined
}

export type Render = (request: PageRequest) => Promise<RenderedPage>

interface ViteApplicationOptions extends ApplicationOptions {
  /** The folder with `index.html`. */
  readonly root: string
  readonly plugins: readonly PluginOption[]
  /** What is bundled before the first page, so that no page loads twice: the packages that are not ours. */
  readonly dependencies: readonly string[]
}

/**
 * Starts an application with Vite, from its sources. `index.html` has `<!--head-->` and `<!--app-->` where the rendered
 * page goes.
 */
export async function startViteApplication(options: ViteApplicationOptions): Promise<Application> {
  const vite = await createVite(options)
  const handle: Handle = (request, response, next) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://page')
    if (!`${pathname}/`.startsWith(options.base)) return next()
    const path = `/${pathname.slice(options.base.length)}${search}`
    if (path === '/styles.css') return void sendStyles(response)
    vite.middlewares(request, response, () => {
      answerPage(vite, options, request, response, path).catch((error: unknown) => {
        console.error(error)
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
    })
  }
  return { handle, close: () => vite.close() }
}

function createVite({ root, base, plugins, dependencies, http, watches = false }: ViteApplicationOptions) {
  // The packages are read as sources, so that nothing has to be built.
  const conditions = ['selfsame-source', 'module', 'development|production']
  return createViteServer({
    root,
    base,
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [...plugins],
    resolve: { conditions: ['browser', ...conditions] },
    ssr: { noExternal: [/^@selfsame\//], resolve: { conditions } },
    optimizeDeps: { include: [...dependencies], noDiscovery: true },
    server: {
      middlewareMode: true,
      hmr: { server: http },
      ...(!watches && { watch: null }),
      fs: { allow: [join(import.meta.dirname, '../../..')] },
    },
  })
}

async function sendStyles(response: ServerResponse): Promise<void> {
  response.setHeader('Content-Type', 'text/css; charset=utf-8')
  response.end(await readFile(join(import.meta.dirname, '../styles.css')))
}

/** Sends `index.html`, with the page in it where it is rendered here. */
async function answerPage(
  vite: ViteDevServer,
  { root, base, restUrl, isServerRendered = false }: ViteApplicationOptions,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const source = await readFile(join(root, 'index.html'), 'utf8')
  const template = await vite.transformIndexHtml(request.url ?? base, source, request.url)
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  if (!isServerRendered) {
    response.end(template)
    return
  }
  const left = new AbortController()
  response.on('close', () => left.abort())
  const { render } = (await vite.ssrLoadModule('/src/entry-server')) as { render: Render }
  const page = await render({
    path,
    base,
    token: tokenOf(request.headers.cookie ?? ''),
    fetch: fetchFrom(restUrl),
    signal: left.signal,
  })
  const [before = '', after = ''] = template.replace('<!--head-->', () => page.head ?? '').split('<!--app-->')
  response.statusCode = page.status ?? 200
  const end = after.replace('<!--state-->', () => page.state ?? '')
  await pipeline(Readable.from(parts(before, page.body, end)), response).catch(() => left.abort())
}

async function* parts(before: string, body: RenderedPage['body'], after: string) {
  yield before
  if (typeof body === 'string') yield body
  else for await (const chunk of body) yield chunk
  yield after
}

/** Fetches what a page asks of its own server below `/rest`. */
function fetchFrom(restUrl: string): typeof fetch {
  return (url, init) => {
    const path = String(url)
    return fetch(path.startsWith(restPrefix) ? restUrl + path.slice(restPrefix.length) : path, init)
  }
}
