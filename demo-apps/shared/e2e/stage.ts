import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { violationsOf } from '@selfsame/conformance/axe'
import { shiftOf, watchShifts } from '@selfsame/conformance/layout-shift'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Locator,
  type Page,
} from 'playwright'
import { expect, inject } from 'vitest'
import type { StartApplication } from '../server/application.js'
import { serveSite, type Site } from '../server/site.js'
import { cookieOf } from '../src/application/session.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The endpoint to connect to Chromium. */
    readonly browser: string
  }
}

/** The size of a window, and the color scheme of its page. */
export interface Window {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

export const desktop: Window = {
  name: 'desktop',
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
}
const phone: Window = { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' }
export const windows = [desktop, phone]

export interface StageOptions {
  /** The framework's name. */
  readonly name: string
  readonly start: StartApplication
  readonly window: Window
  readonly isServerRendered?: boolean
}

export interface KnobSetting {
  readonly route: string
  readonly delayMs?: number
  readonly status?: number
  readonly times?: number
}

/** Development messages of libraries, which are no errors of the page. */
const greetings =
  /Download the (React|Vue) DevTools|^\[vite\] connect(ing|ed)|development build of Vue|^<Suspense> is an experimental feature/

/** An application in a browser, and the tools of its tests. */
export class Stage {
  readonly #name: string
  readonly #window: Window
  readonly #browser: Browser
  readonly #context: BrowserContext
  readonly #site: Site
  readonly rest: Rest
  /** All console messages of the page, and the URL of the code or the resource that each is about. */
  #messages: { readonly text: string; readonly url: string }[] = []
  /** Patterns of errors that the test provokes, which the browser logs. */
  #provoked: RegExp[] = []
  page!: Page
  /** The session that has taken the page offline. */
  #network: CDPSession | undefined

  private constructor(
    { name, window }: StageOptions,
    rest: Rest,
    browser: Browser,
    context: BrowserContext,
    site: Site,
  ) {
    this.#name = name
    this.#window = window
    this.rest = rest
    this.#browser = browser
    this.#context = context
    this.#site = site
  }

  /** @param restUrl - the server that the stages of one file share, one after the other */
  static async open(restUrl: string, options: StageOptions): Promise<Stage> {
    const { name, start, window, isServerRendered = false } = options
    const site = await serveSite({
      start,
      restUrl,
      isServerRendered,
      // What Svelte renders from sources does not match its bundle.
      isBuilt: !isServerRendered || name !== 'Svelte',
    })
    const browser = await chromium.connect(inject('browser'))
    // Shared by all tests, because its cache holds the modules of the page.
    const context = await browser.newContext({
      viewport: { ...window.viewport },
      colorScheme: window.colorScheme,
    })
    // It stays open, and with it the process that a page of one test leaves to the next.
    await (await context.newPage()).goto(`${site.url}rest/`)
    await context.addInitScript(watchShifts)
    await context.addInitScript(reportTogether)
    return new Stage(options, new Rest(restUrl), browser, context, site)
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#site.close()
  }

  /** Prepares a test: seeded records, no cookies, and a new page. */
  async begin(): Promise<void> {
    await Promise.all([this.rest.reset(), this.#context.clearCookies()])
    this.#messages = []
    this.#provoked = []
    this.page = await this.#context.newPage()
    this.#network = undefined
    await this.#forgetKept()
    this.page.setDefaultTimeout(40_000)
    this.page.on('console', (message) => {
      this.#messages.push({ text: `${message.type()}: ${message.text()}`, url: message.location().url })
    })
    this.page.on('pageerror', (error) => {
      this.#messages.push({ text: `pageerror: ${String(error)}`, url: this.page.url() })
    })
  }

  /** Empties the storage in which earlier tests kept what was loaded. */
  async #forgetKept(): Promise<void> {
    const session = await this.#context.newCDPSession(this.page)
    const { origin } = new URL(this.#site.url)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    await session.detach()
  }

  /** Forgets the requests of the screen, once it has sent them all: a picture may be fetched after the rest is there. */
  async forgetRequests(): Promise<void> {
    await settled(this)
    await this.rest.forgetRequests()
  }

  /** After each test. */
  async end(): Promise<void> {
    await this.page.close()
    await this.rest.turnKnobBack()
    const unexpected = this.#messages.filter(
      ({ text }) => !greetings.test(text.replace(/^\w+: /, '')) && !this.#isProvoked(text),
    )
    // As text: a report of a failure names each.
    expect(unexpected.map(({ text, url }) => `${text} (${url})`).join('\n')).toBe('')
  }

  #isProvoked(text: string): boolean {
    return text.includes('Failed to load resource') && this.#provoked.some((pattern) => pattern.test(text))
  }

  /** A failure that the test provoked is in the console of the browser, maybe after the page shows it; nothing else may be. */
  takeProvoked(pattern: RegExp): void {
    this.#provoked.push(pattern)
  }

  urlOf(path: string): string {
    return this.#site.url + path.slice(1)
  }

  /** Opens a page of the application. What it loads may be held, so it is not waited for. */
  async goto(path: string): Promise<void> {
    await this.page.goto(this.urlOf(path), { waitUntil: 'domcontentloaded' })
  }

  /** Loads a page, and waits for its heading. */
  async visit(path: string, heading: string | RegExp): Promise<void> {
    await this.goto(path)
    await this.heading(heading)
  }

  /** Signs a user in by a cookie, as after an earlier visit. */
  async signIn(id = 1): Promise<void> {
    const [pair = ''] = cookieOf(`user-${id}`).split(';')
    const [name = '', value = ''] = pair.split('=')
    await this.#context.addCookies([{ name, value, url: this.#site.url }])
  }

  async cookies(): Promise<string[]> {
    return (await this.#context.cookies()).map(({ name }) => name)
  }

  /** Holds requests of the page. @returns a function that sends them */
  async hold(method: string, path: RegExp): Promise<() => void> {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await this.page.route(path, async (route) => {
      if (route.request().method() === method) await released
      // The page may have aborted it meanwhile.
      await route.continue().catch(() => {})
    })
    return () => release()
  }

  /** The context would tell each of its pages, and so this one that it is online before its own requests are sent. */
  async setOffline(isOffline: boolean): Promise<void> {
    this.#network ??= await this.#context.newCDPSession(this.page)
    const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    await this.#network.send('Network.enable')
    await this.#network.send('Network.emulateNetworkConditions', { offline: isOffline, ...unlimited })
  }

  get main(): Locator {
    return this.page.getByRole('main')
  }

  get banner(): Locator {
    return this.page.getByRole('banner')
  }

  /** Waits for the heading of a screen. */
  async heading(name: string | RegExp): Promise<void> {
    await this.main.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  /** Waits until a server-rendered page is hydrated, which `main` marks. */
  async isHydrated(): Promise<void> {
    await this.page.locator('#app[data-ready]').waitFor()
  }

  /** Opens a screen through the navigation. */
  async navigate(link: string, heading = link): Promise<void> {
    await this.banner.getByRole('link', { name: link, exact: true }).click()
    await this.heading(heading)
  }

  /** Waits until the user is told what was done. */
  async notice(text: string): Promise<void> {
    await this.page.getByRole('status').getByText(text, { exact: true }).waitFor()
  }

  list(name: string): Locator {
    return this.main.getByRole('list', { name, exact: true })
  }

  button(name: string): Locator {
    return this.main.getByRole('button', { name, exact: true })
  }

  link(name: string): Locator {
    return this.main.getByRole('link', { name, exact: true })
  }

  field(name: string): Locator {
    return this.main.getByRole('textbox', { name, exact: true })
  }

  /** The requests since the log was last cleared. */
  requests(): Promise<string[]> {
    return this.rest.requests()
  }

  /** The cumulative layout shift of the page. */
  async shift(): Promise<number> {
    return shiftOf(this.page)
  }

  /** True if the page is wider than its window. */
  async overflows(): Promise<boolean> {
    return this.page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
  }

  /** The violations that axe finds, by rule and element. */
  axe(): Promise<string[]> {
    return violationsOf(this.page)
  }

  /** Saves a screenshot, if the variable SCREENSHOTS names a folder. */
  async picture(screen: string): Promise<void> {
    const folder = process.env['SCREENSHOTS']
    if (folder === undefined) return
    const path = join(folder, `${this.#name}-${this.#window.name}-${screen}.png`)
    await this.page.screenshot({ path, fullPage: true, animations: 'disabled' })
  }
}

/** The REST server, with functions to inspect and disturb it. */
export class Rest {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** @param user - the id of the user who sends it */
  async send(method: string, path: string, body?: object, user?: number): Promise<Response> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(user !== undefined && { 'Access-Token': `user-${user}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return response
  }

  async get<Answer>(path: string): Promise<Answer> {
    return (await (await this.send('GET', path)).json()) as Answer
  }

  async reset(): Promise<void> {
    await this.send('POST', '/_reset')
  }

  async turnKnob(setting: KnobSetting): Promise<void> {
    await this.send('POST', '/_knob', setting)
  }

  async turnKnobBack(): Promise<void> {
    await this.send('DELETE', '/_knob')
  }

  async requests(): Promise<string[]> {
    const logged =
      await this.get<{ method: string; path: string; query: Record<string, string> }[]>('/_requests')
    return logged.map(({ method, path, query }) => {
      const { q } = query
      return `${method} ${path}${q === undefined ? '' : ` “${q}”`}`
    })
  }

  async forgetRequests(): Promise<void> {
    await this.send('DELETE', '/_requests')
  }

  /** Opens and closes an article as another visitor. */
  async view(id: number): Promise<void> {
    const left = new AbortController()
    await fetch(`${this.url}/article/${id}/views`, { signal: left.signal })
    left.abort()
  }
}

/** Waits until the server receives no more requests for so long, and returns the log. */
export async function settled(stage: Stage, quietMs = 150): Promise<string[]> {
  let last: string[] | undefined
  for (;;) {
    const now = await stage.requests()
    if (now.length === last?.length) return now
    last = now
    await delay(quietMs)
  }
}

/** Types a text letter by letter, in one task: on a busy machine, keys come more slowly than a debounce waits. */
export async function typeAtOnce(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, whole) => {
    const input = element as unknown as { value: string } & EventTarget
    for (let length = 1; length <= whole.length; length++) {
      // React overrides the property of the element, so the setter of its class is called.
      Reflect.set(Object.getPrototypeOf(input) as object, 'value', whole.slice(0, length), input)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, text)
}

/** Runs in the page: reports to an IntersectionObserver all its entries again with each new one, as a busy browser does. */
function reportTogether(): void {
  const Real = IntersectionObserver
  globalThis.IntersectionObserver = class extends Real {
    constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const all: IntersectionObserverEntry[] = []
      super((entries, observer) => {
        all.push(...entries)
        tell([...all], observer)
      }, options)
    }
  }
}
