import { BrowserLocks } from '@selfsame/conformance/browser-tabs'
import { ManualNetwork } from '@selfsame/conformance'
import { onTestFinished } from 'vitest'
import { Controller, Entity } from '../index.js'
import type { Middleware } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { memoryStorage } from '../storage.js'
import type { RowStorage } from '../storage.js'
import type { TabChannel } from '../tabs.js'
import { TestClock } from '../testing.js'
import { TestChannels } from './testing-stage.js'

export class Dish extends Entity {
  id = 0
  name = ''
  static override key = 'Dish'
}

/** A resource of dishes. Two of them have endpoints of the same names. */
export function dishesAt(path: `/${string}/:id`, urlPrefix = 'https://api.test') {
  return createResource({ urlPrefix, path, schema: Dish, optimistic })
}

/** What the pages of one origin share, as the middleware takes it. */
export type Platform = ReturnType<ReturnType<typeof createOrigin>['platform']>

/**
 * One origin of a browser: the storage, locks and channels that all of its pages share, whatever application they are of. Its servers
 * answer at any address: a list has two dishes, and a change is answered with what was sent.
 *
 * @param onEnd - is given a function that closes a page
 */
export function createOrigin(
  storage: RowStorage = memoryStorage(),
  onEnd: (close: () => void) => void = onTestFinished,
) {
  const network = new ManualNetwork()
  const clock = new TestClock()
  const locks = new BrowserLocks()
  const channels = new TestChannels()
  const channel = channels.channel as (name: string) => TabChannel
  /** The changes that servers got: `POST https://api.test/dish {"name":"Soup"}`. */
  const received: string[] = []
  const reads: string[] = []
  /** Holds answers back. */
  const gate: { wait: (request: string) => Promise<unknown> } = { wait: () => Promise.resolve() }
  let pages = 0
  let made = 100

  async function fetch(url: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
    if (!network.isOnline()) throw new TypeError('Failed to fetch')
    const sent = typeof body === 'string' ? (JSON.parse(body) as object) : {}
    const request = `${method} ${url}${typeof body === 'string' ? ` ${body}` : ''}`
    ;(method === 'GET' ? reads : received).push(request)
    await gate.wait(request)
    if ('query' in sent) return Response.json({ data: { saved: true } })
    const id = Number(url.split('/').at(-1))
    if (method === 'GET' && Number.isNaN(id))
      return Response.json([1, 2].map((each) => ({ id: each, name: `Dish ${each} of ${url}` })))
    const dish = { id: Number.isNaN(id) ? ++made : id, name: `Dish ${id} of ${url}` }
    return Response.json({ ...dish, ...sent })
  }

  /** What a page has of its browser. */
  function platform() {
    return { storage, network, channel, locks: locks.of(++pages) }
  }

  /** Opens a page. */
  function open(middlewareOf: (platform: Platform) => readonly Middleware[]): Controller {
    const controller = new Controller({
      clock,
      fetch: fetch as typeof globalThis.fetch,
      middleware: [...middlewareOf(platform())],
    })
    onEnd(() => controller.dispose())
    return controller
  }

  return { storage, network, clock, received, reads, gate, platform, open }
}
