import { fork } from 'node:child_process'
import type { ChildProcess, ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'

const measure = fileURLToPath(new URL('../scripts/measure-server.mjs', import.meta.url))

/** What is left of the requests that a server answered: bytes of its heap, and timers. */
export interface Leftovers {
  readonly heap: number
  readonly timers: number
}

/** A server that runs in a process of its own, whose visitors are told apart by the cookie `user`. */
export class StartedServer {
  readonly address: string
  readonly #process: ChildProcess

  private constructor(address: string, process: ChildProcess) {
    this.address = address
    this.#process = process
  }

  /**
   * Starts a script, and waits until it answers.
   *
   * @param configure - gives the options of the process for the port and address that it has to listen to
   * @param args - of the script, for a port
   */
  static async start(
    script: string,
    configure: (port: number, address: string) => Pick<ForkOptions, 'cwd' | 'env'>,
    args: (port: number) => readonly string[] = () => [],
  ): Promise<StartedServer> {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const process = fork(script, args(port), {
      ...configure(port, address),
      execArgv: ['--expose-gc', '--import', measure],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    while (!(await fetch(`${address}/api/me`).catch(() => undefined))) {
      if (process.exitCode !== null) throw new Error(`${script} ended with ${process.exitCode}.`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return new StartedServer(address, process)
  }

  /** Asks for a page as a visitor. */
  open(user: string, path = '/', signal: AbortSignal | null = null): Promise<Response> {
    return fetch(this.address + path, { headers: { Cookie: `user=${user}` }, signal })
  }

  /**
   * Lets visitors come, 50 at a time, each with a name and to one of the paths in turn. Each has to see no name but his own.
   *
   * @param judge - looks at a page as well
   */
  async visit(
    count: number,
    paths: readonly string[],
    judge?: (html: string, user: string) => void,
  ): Promise<void> {
    let next = 0
    const visitor = async () => {
      while (next < count) {
        const user = `user${next}x`
        const path = paths[next++ % paths.length]
        const html = await (await this.open(user, path)).text()
        expect([...new Set(html.match(/user\d+x/g))]).toEqual([user])
        judge?.(html, user)
      }
    }
    await Promise.all(Array.from({ length: 50 }, visitor))
  }

  /** Collects garbage, and says what is left. */
  async measure(): Promise<Leftovers> {
    const answer = once(this.#process, 'message')
    this.#process.send('measure')
    return ((await answer) as [Leftovers])[0]
  }

  end(): void {
    this.#process.kill()
  }
}

/** A page in a browser, with all that it wrote to the console and asked of paths that begin with `/api`. */
export interface OpenedPage {
  readonly page: Page
  readonly messages: string[]
  /** `GET /api/me` */
  readonly requests: string[]
  close(): Promise<void>
}

/** Opens a page as a visitor. @param waitUntil - what has to have happened when it returns @default all requests are over */
export async function openPage(
  browser: Browser,
  address: string,
  user: string,
  path = '/',
  waitUntil: 'commit' | 'networkidle' = 'networkidle',
): Promise<OpenedPage> {
  const context = await browser.newContext()
  await context.addCookies([{ name: 'user', value: user, url: address }])
  const page = await context.newPage()
  const messages: string[] = []
  const requests: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(String(error)))
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api')) requests.push(`${request.method()} ${pathname}`)
  })
  await page.goto(address + path, { waitUntil })
  return { page, messages, requests, close: () => context.close() }
}

/** Lets a server listen to any free port. @returns the port */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}
