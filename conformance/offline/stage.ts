import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { chromiumArgs, chromiumPath } from '../src/chromium.js'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import type { Browser, BrowserContext, Frame, Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { refuse } from '../src/refusals.js'
import type { Refusal } from '../src/refusals.js'
import type { OfflinePage } from './page.js'

/** A change as the server got it. */
export interface Received {
  readonly name: string
  readonly key: string
  readonly user?: string
  readonly body: string
}

/** What the server knows. */
export interface Truth {
  readonly received: readonly Received[]
  readonly applied: readonly Received[]
  /** The count of reads. */
  readonly reads: number
  /** The count of streams that are open, and of those that were opened. */
  readonly streams: number
  readonly opened: number
  readonly todos: readonly { readonly id: number; readonly title: string }[]
}

/** What goes wrong with changes: they are not answered, before or after they are carried out, or refused with a status. */
export type Fault = 'before' | 'after' | number | undefined

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A page as one module, made of the sources. */
async function bundle(page: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path(page)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['selfsame-source', 'development'],
  })
  return outputFiles[0]?.text ?? ''
}

/** A server process, and a Chromium with a profile for each test. */
export class Stage {
  readonly #page: string
  #server: ChildProcess | undefined
  #browser: Browser | undefined
  #script = ''
  #address = ''

  /** @param page - the file of the page */
  constructor(page: string) {
    this.#page = page
  }

  async start(): Promise<void> {
    const server = fork(path('server.mjs'))
    this.#server = server
    const [port] = (await once(server, 'message')) as [number]
    this.#address = `http://127.0.0.1:${port}`
    this.#script = await bundle(this.#page)
    this.#browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    this.#server?.kill()
  }

  /** A profile with empty storage, on a server that has done nothing yet. */
  async profile(): Promise<Profile> {
    if (this.#browser === undefined) throw new Error('The stage is not started.')
    await this.tell('reset')
    return new Profile(await this.#browser.newContext(), this.#address, this.#script)
  }

  async tell(what: string, about: unknown = {}): Promise<Truth> {
    const body = JSON.stringify(about)
    const response = await fetch(`${this.#address}/control/${what}`, { method: 'POST', body })
    return (await response.json()) as Truth
  }

  truth(): Promise<Truth> {
    return this.tell('truth')
  }

  /** @param times - how many changes it concerns @default all from now on */
  async fail(fault: Fault, times?: number): Promise<void> {
    await this.tell('fault', { fault, times })
  }
}

/** A profile of the browser: its tabs share storage, locks and channels. */
export class Profile {
  readonly context: BrowserContext
  readonly #address: string
  readonly #script: string

  constructor(context: BrowserContext, address: string, script: string) {
    this.context = context
    this.#address = address
    this.#script = script
  }

  /**
   * Opens a tab. The page itself is there without a network too, as with a service worker.
   *
   * @param without - what its platform lacks or refuses @default nothing
   */
  async open(search = '', without?: Refusal): Promise<Tab> {
    const page = await this.#newPage()
    if (without !== undefined) await page.addInitScript(refuse as (refusal: Refusal) => void, without)
    await page.goto(`${this.#address}/?${search}`)
    const tab = new Tab(page)
    await tab.call('ready')
    return tab
  }

  /** Opens a page with a frame, in which scripts may run, and may use nothing of an origin. */
  async openSandboxed(search = ''): Promise<Tab> {
    // The server of this test is no address of the internet.
    await this.context.grantPermissions(['local-network-access'])
    const page = await this.#newPage()
    const body = `<!doctype html><title>Around</title><iframe sandbox="allow-scripts" src="/?${search}"></iframe>`
    await page.route(`${this.#address}/around`, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${this.#address}/around`)
    const tab = new Tab(page, page.frames()[1])
    await tab.call('ready')
    return tab
  }

  async #newPage(): Promise<Page> {
    const page = await this.context.newPage()
    const body = `<!doctype html><meta charset="utf-8"><title>Offline</title><script type="module">${this.#script}</script>`
    await page.route(`${this.#address}/?*`, (route) => route.fulfill({ contentType: 'text/html', body }))
    return page
  }

  async setOffline(isOffline: boolean): Promise<void> {
    await this.context.setOffline(isOffline)
  }
}

/** A tab of the browser. */
export class Tab {
  readonly page: Page
  /** Where the application runs. */
  readonly frame: Frame

  constructor(page: Page, frame: Frame = page.mainFrame()) {
    this.page = page
    this.frame = frame
  }

  /** Calls a function of the page. */
  async call<Name extends Exclude<keyof OfflinePage, 'warnings'>>(
    name: Name,
    ...args: Parameters<OfflinePage[Name]>
  ): Promise<Awaited<ReturnType<OfflinePage[Name]>>> {
    return (await this.frame.evaluate(
      ([called, given]) =>
        (window as never as { page: Record<string, (...all: unknown[]) => unknown> }).page[
          called as string
        ]?.(...(given as unknown[])),
      [name, args],
    )) as Awaited<ReturnType<OfflinePage[Name]>>
  }

  warnings(): Promise<readonly string[]> {
    return this.frame.evaluate(() => (window as never as { page: OfflinePage }).page.warnings)
  }

  /** Sets how many bytes the origin of the page may store; `undefined` for as many as the browser gives it. */
  async setQuota(bytes: number | undefined): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page)
    const origin = new URL(this.page.url()).origin
    await session.send('Storage.overrideQuotaForOrigin', {
      origin,
      ...(bytes !== undefined && { quotaSize: bytes }),
    })
  }

  async reload(): Promise<void> {
    await this.page.reload()
    await this.call('ready')
  }

  /** All that the origin of the page has stored: keys of the database, and names in `localStorage`. */
  stored(): Promise<readonly string[]> {
    return this.page.evaluate(listStored)
  }

  /** Writes rows into the database, past the library. */
  async put(rows: Readonly<Record<string, unknown>>): Promise<void> {
    await this.page.evaluate(useRows, { given: rows, damaged: '' })
  }

  /** Damages the rows of a part of the database. @returns how many there were */
  damage(prefix: string): Promise<number> {
    return this.page.evaluate(useRows, { given: {}, damaged: prefix })
  }

  /** Changes rows of the database, past the library. @param prefix - the beginning of their keys. @param change - runs in the page */
  change(prefix: string, change: (row: Record<string, unknown>, index: number) => unknown): Promise<void> {
    return this.page.evaluate(changeRows, { prefix, change: String(change) })
  }

  /** Ends the process that renders the tab: nothing in it runs any more. */
  async crash(): Promise<void> {
    const crashed = this.page.waitForEvent('crash')
    const session = await this.page.context().newCDPSession(this.page)
    // The answer of a process that ended never comes.
    session.send('Page.crash').catch(() => {})
    await crashed
    await this.page.close()
  }
}

/** Starts a stage for the tests of a file. @param page - the file of the page, which has functions of `OfflinePage` */
export function useStage(page = 'page.ts'): Stage {
  const stage = new Stage(page)
  beforeAll(() => stage.start())
  afterAll(() => stage.stop())
  return stage
}

/** Runs in the page. @returns the count of damaged rows */
function useRows({
  given,
  damaged,
}: {
  given: Readonly<Record<string, unknown>>
  damaged: string
}): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('selfsame')
    opening.addEventListener('error', () => reject(opening.error as Error))
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('rows', 'readwrite')
      const rows = transaction.objectStore('rows')
      for (const [key, row] of Object.entries(given)) rows.put(row, key)
      const keys = rows.getAllKeys()
      let count = 0
      keys.onsuccess = () => {
        for (const key of keys.result) {
          if (damaged === '' || !String(key).startsWith(damaged)) continue
          count++
          rows.put({ half: 'written' }, key)
        }
      }
      transaction.oncomplete = () => {
        opening.result.close()
        resolve(count)
      }
    }
  })
}

/** Runs in the page. */
function listStored(): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('selfsame')
    opening.addEventListener('error', () => reject(opening.error as Error))
    opening.onsuccess = () => {
      const keys = opening.result.transaction('rows').objectStore('rows').getAllKeys()
      keys.onsuccess = () => {
        opening.result.close()
        resolve([...keys.result.map(String), ...Object.keys(localStorage)])
      }
    }
  })
}

/** Runs in the page. */
function changeRows({ prefix, change }: { prefix: string; change: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    // eslint-disable-next-line no-new-func
    const changed = new Function(`return (${change})`)() as (row: unknown, index: number) => unknown
    const opening = indexedDB.open('selfsame')
    opening.addEventListener('error', () => reject(opening.error as Error))
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('rows', 'readwrite')
      const rows = transaction.objectStore('rows')
      const reading = rows.openCursor()
      let index = 0
      reading.onsuccess = () => {
        const cursor = reading.result
        if (cursor === null) return
        if (String(cursor.key).startsWith(prefix)) cursor.update(changed(cursor.value, index++))
        cursor.continue()
      }
      transaction.oncomplete = () => {
        opening.result.close()
        resolve()
      }
    }
  })
}
