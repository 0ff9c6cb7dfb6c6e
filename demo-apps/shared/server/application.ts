import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { build, createServer as createViteServer, type PluginOption, type ViteDevServer } from 'vite'
import { isDesign, sendDesign } from './design.js'
import { keptBundle } from './kept-bundle.js'
import { tokenOf } from '../src/application/session.js'
import { restPrefix } from '../src/application/api.js'

/** The options of an application: where it is mounted, and its surroundings. */
export interface ApplicationOptions {
  /** The path that all its URLs start with, such as `/react/`. */
  readonly base: string
  /** The URL of the REST server for this process. The page reaches it below `/rest`. */
  readonly restUrl: string
  /** The HTTP server of the page, for Vite's socket. */
  readonly http: Server
  /** If true, pages update when the sources change. @default false */
  readonly watches?: boolean | undefined
  /**
   * If true, the browser loads a bundle, which is faster than single source files. It is kept until the sources change.
   *
   * @default false
   */
  readonly isBuilt?: boolean | undefined
  /** If true, pages are rendered on the server, with their data. @default false */
  readonly isServerRendered?: boolean | undefined
}

/** Responds to requests below the base of an application, and passes others to `next`. */
export type Handle = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

export interface Application {
  readonly handle: Handle
  close(): Promise<void>
}

/** The export `start` of each application's `server.ts`. */
export type StartApplication = (options: ApplicationOptions) => Promise<Application>

/** A page to render on the server. */
export interface PageRequest {
  /** The path below the base, as the application's router matches it: `/articles?q=sea`. */
  readonly path: string
  readonly base: string
  /** The token of the visitor. */
  readonly token: string | undefined
  /** Sends requests to the REST server; for the Controller of this request. */
  readonly fetch: typeof fetch
  /** Aborted when the visitor leaves. */
  readonly signal: AbortSignal
}

/** The result of `render`, which `src/entry-server` of an application exports. */
export interface RenderedPage {
  /** The status of the response. @default 200 */
  readonly status?: number | undefined
  /** Elements of the head, such as its title, as HTML. */
  readonly head?: string | undefined
  /** The content of `<div id="app">`, with the state unless `state` has it. */
  readonly body: string | ReadableStream<Uint8Array>
  /** The element with the state, if it belongs outside of `#app`: at `<!--state-->`. @default none */
  readonly state?: string | undefined
}

export type Render = (request: PageRequest) => Promise<RenderedPage>

interface ViteApplicationOptions extends ApplicationOptions {
  /** The folder with `index.html`. */
  readonly root: string
  readonly plugins: readonly PluginOption[]
  /** Third-party packages to bundle before the first page; bundling them later would reload the page. */
  readonly dependencies: readonly string[]
  /** If true, its bundle has the development builds of third-party packages, such as that of React with its Profiler. @default false */
  readonly isDevelopment?: boolean
}

/**
 * Starts an application with Vite, from its sources. `index.html` has `<!--head-->` and `<!--app-->` where the rendered
 * page goes.
 */
export async function startViteApplication(options: ViteApplicationOptions): Promise<Application> {
  const { isBuilt = false, isServerRendered = false } = options
  const built = isBuilt ? await bundleOf(options) : undefined
  // With a bundle, Vite only renders pages.
  const vite = built === undefined || isServerRendered ? await createVite(options) : undefined
  const handle: Handle = (request, response, next) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://page')
    if (!`${pathname}/`.startsWith(options.base)) return next()
    const path = `/${pathname.slice(options.base.length)}${search}`
    if (isDesign(path)) return void sendDesign(path, response)
    const answer = () =>
      answerPage({ vite, built, options }, request, response, path).catch((error: unknown) => {
        console.error(error)
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
    if (built === undefined) vite?.middlewares(request, response, () => void answer())
    else sendFile(join(built, pathname.slice(options.base.length)), response).catch(answer)
  }
  return { handle, close: async () => vite?.close() }
}

/**
 * No inline scripts or styles, and no other hosts, except the REST server for pictures. A picture that the user has
 * chosen is shown as a blob before its upload.
 */
const strictPolicy = (restUrl: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob: ${new URL(restUrl).origin}; font-src 'self'; base-uri 'none'; form-action 'self'`

/** The folder of each bundle, by the folder of its sources and the path that it is mounted at. */
const bundles: Record<string, Promise<string>> = {}

/** The folder of the bundle of an application. It is made if no earlier process has kept one of the same sources. */
function bundleOf(options: ViteApplicationOptions): Promise<string> {
  const { root, base } = options
  return (bundles[root + base] ??= keptBundle(
    `${basename(root)}${base.replaceAll('/', '-')}`,
    root,
    (outDir) =>
      build({
        ...configOf(options),
        logLevel: 'error',
        mode: 'development',
        ...(options.isDevelopment && { define: { 'process.env.NODE_ENV': '"development"' } }),
        build: { outDir, minify: false, emptyOutDir: true },
      }),
  ))
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const type = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }[extname(path)]
  if (type === undefined) throw new Error(`${path} is a page.`)
  const content = await readFile(path)
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=3600' }).end(content)
}

/** The configuration of bundles and of pages from sources: both import the sources of this repository. */
function configOf({ root, base, plugins }: ViteApplicationOptions) {
  const conditions = ['selfsame-source', 'module', 'development|production']
  return {
    root,
    base,
    configFile: false as const,
    clearScreen: false,
    plugins: [...plugins],
    resolve: { conditions: ['browser', ...conditions] },
    ssr: { noExternal: [/^@selfsame\//], resolve: { conditions } },
  }
}

function createVite(options: ViteApplicationOptions): Promise<ViteDevServer> {
  const { dependencies, http, watches = false } = options
  return createViteServer({
    ...configOf(options),
    appType: 'custom',
    logLevel: 'warn',
    optimizeDeps: { include: [...dependencies], noDiscovery: true },
    server: {
      middlewareMode: true,
      hmr: { server: http },
      watch: watches ? {} : null,
      fs: { allow: [join(import.meta.dirname, '../../..')] },
    },
  })
}

interface Sources {
  readonly vite: ViteDevServer | undefined
  /** The folder of the bundle. */
  readonly built: string | undefined
  readonly options: ViteApplicationOptions
}

/** Sends `index.html`, with the rendered page if this server renders it. */
async function answerPage(
  { vite, built, options: { root, base, restUrl, isServerRendered = false } }: Sources,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const source = await readFile(join(built ?? root, 'index.html'), 'utf8')
  const template =
    built === undefined && vite !== undefined
      ? await vite.transformIndexHtml(request.url ?? base, source, request.url)
      : source
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  if (!isServerRendered || vite === undefined) {
    // Only for a bundle: pages from sources contain an inline script of Vite.
    if (built !== undefined) response.setHeader('Content-Security-Policy', strictPolicy(restUrl))
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

/** A `fetch` for server renders: sends requests below `/rest` to the REST server. */
function fetchFrom(restUrl: string): typeof fetch {
  return (url, init) => {
    const path = String(url)
    return fetch(path.startsWith(restPrefix) ? restUrl + path.slice(restPrefix.length) : path, init)
  }
}
