import { fork } from 'node:child_process'
import type { ChildProcess, ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright'
import { expect } from 'vitest'

const measure = fileURLToPath(new URL('./measure-server.mjs', import.meta.url))

/** What remains in memory after the requests to a server: bytes of its heap, and timers. */
export interface Leftovers {
  readonly heap: number
  readonly timers: number
}

/** A server in a process of its own, which identifies visitors by the cookie `user`. */
export class StartedServer {
  readonly address: string
  readonly #process: ChildProcess
  #log = ''

  private constructor(address: string, process: ChildProcess) {
    this.address = address
    this.#process = process
    process.stderr?.on('data', (text: Buffer) => {
      this.#log += text.toString()
    })
  }

  /**
   * Starts a script, and waits until it responds.
   *
   * @param configure - returns the options of the process, for the port and host that it must listen on
   * @param args - returns the arguments of the script, for a port
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
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    while (!(await fetch(`${address}/api/me`).catch(() => undefined))) {
      if (process.exitCode !== null) throw new Error(`${script} ended with ${process.exitCode}.`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return new StartedServer(address, process)
  }

  /** Requests a page as a visitor. */
  open(user: string, path = '/', signal: AbortSignal | null = null): Promise<Response> {
    return fetch(this.address + path, { headers: { Cookie: `user=${user}` }, signal })
  }

  /**
   * Sends visitors, 50 at a time, each with a different name, to the paths in turn. Asserts that each sees no other
   * name.
   *
   * @param judge - makes further assertions about a page
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

  /**
   * Sends visitors twice, as `visit` does. Asserts that the second time leaves no timer, and in the heap less than a sixth of the
   * 50 kB that a page that stayed holds. The engine's own caches grow a little for a while.
   */
  async visitWithoutLeftovers(
    count: number,
    paths: readonly string[],
    judge?: (html: string, user: string) => void,
  ): Promise<Leftovers> {
    await this.visit(count, paths, judge)
    const before = await this.measure()
    await this.visit(count, paths, judge)
    const after = await this.measure()
    expect(after.timers).toBe(before.timers)
    expect(after.heap - before.heap).toBeLessThan(count * 7500)
    return after
  }

  /**
   * Requests pages and leaves: before there is a response, while it arrives, and shortly before its end.
   *
   * @param user - a visitor whose pages take the server a while
   */
  async leaveEarly(count: number, paths: readonly string[], user: string): Promise<void> {
    const visits: Promise<unknown>[] = []
    for (let each = 0; each < count; each++) {
      const left = new AbortController()
      const read = async () => {
        const response = await this.open(user, paths[each % paths.length], left.signal)
        return each % 2 === 0 ? response.text() : response.body?.getReader().read()
      }
      visits.push(read().catch(() => {}))
      setTimeout(() => left.abort(), 5 + ((each * 7) % 120))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await Promise.all(visits)
    // What the server still does for them takes at most as long as its slowest call.
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }

  /** What the server wrote to its log of errors since this was called last. */
  log(): string {
    const log = this.#log
    this.#log = ''
    return log
  }

  /** Collects garbage, and returns what remains. */
  async measure(): Promise<Leftovers> {
    const answer = once(this.#process, 'message')
    this.#process.send('measure')
    return ((await answer) as [Leftovers])[0]
  }

  end(): void {
    this.#process.kill()
  }
}

/** A page in a browser, with its console messages and its requests to paths that start with `/api`. */
export interface OpenedPage {
  readonly page: Page
  readonly messages: string[]
  /** For example `GET /api/me`. */
  readonly requests: string[]
  close(): Promise<void>
}

/** Opens a page as a visitor. @param waitUntil - the event to wait for @default all requests have ended */
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

/** Clicks an element until the page shows the effect. Before the page is hydrated, a click has none. */
export async function clickUntil(element: Locator, effect: Locator): Promise<void> {
  const hasEffect = () =>
    effect.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    )
  do await element.click()
  while (!(await hasEffect()))
}

/** Lets a server listen on a free port. @returns the port */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}
