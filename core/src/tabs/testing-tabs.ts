import { BrowserLocks, Channels } from '@selfsame/conformance/browser-tabs'
import { onTestFinished } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { RestEndpoint, createResource } from '../rest.js'
import { syncTabs } from '../tabs.js'
import type { SyncTabsOptions } from '../tabs.js'
import { TestClock } from '../testing.js'

export class Todo extends Entity {
  id = 0
  title = ''
  static override key = 'Todo'
}

/** Waits until all that can go on without time has gone on. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A request that the server has not handled, or not answered. */
interface Waiting {
  readonly method: string
  readonly url: string
  readonly body: { readonly title?: string } | undefined
  readonly resolve: (response: Response) => void
  answer: Response | undefined
}

/** One server that keeps the truth. It handles and answers when it is told to, in the order of each tab. */
export class Truth {
  readonly todos = new Map([1, 2, 3].map((id) => [id, { id, title: `first ${id}` }]))
  /** By tab. */
  readonly waiting = new Map<number, Waiting[]>()
  requests = 0
  /** How many of the next requests are refused. */
  failures = 0
  /** `true` if mutations are answered without a body. */
  isSilent = false
  #nextId = 100

  send(tab: number, url: string, { method = 'GET', body }: RequestInit): Promise<Response> {
    this.requests++
    return new Promise((resolve) => {
      const given = typeof body === 'string' ? (JSON.parse(body) as { title?: string }) : undefined
      const request: Waiting = { method, url, body: given, resolve, answer: undefined }
      this.waiting.set(tab, [...(this.waiting.get(tab) ?? []), request])
    })
  }

  /** Handles the next request of a tab. */
  handle(tab: number): void {
    const request = this.waiting.get(tab)?.find(({ answer }) => answer === undefined)
    if (request !== undefined) request.answer = this.#handle(request)
  }

  /** Answers the first request of a tab that was handled. */
  answer(tab: number): void {
    const [first] = this.waiting.get(tab) ?? []
    if (first?.answer === undefined) return
    this.waiting.get(tab)?.shift()
    first.resolve(first.answer)
  }

  #handle(request: Waiting): Response {
    const response = this.#handleTold(request)
    return this.isSilent && request.method !== 'GET' && response.ok
      ? new Response(null, { status: 204 })
      : response
  }

  #handleTold({ method, url, body }: Waiting): Response {
    if (this.failures > 0) {
      this.failures--
      return Response.json({}, { status: 422 })
    }
    const id = Number(url.split('/').at(-1))
    const known = this.todos.get(id)
    if (method === 'POST') {
      const made = { title: '', ...body, id: ++this.#nextId }
      this.todos.set(made.id, made)
      return Response.json(made)
    }
    if (Number.isNaN(id)) return Response.json([...this.todos.values()])
    if (known === undefined) return Response.json({}, { status: 404 })
    if (method === 'DELETE') this.todos.delete(id)
    else if (method === 'PATCH') this.todos.set(id, { ...known, ...body })
    return Response.json(this.todos.get(id) ?? { id })
  }
}

/** A browser with tabs that sync, and one server. */
export function createTabs() {
  const clock = new TestClock()
  const channels = new Channels()
  const truth = new Truth()
  const locks = new BrowserLocks()

  /** @param tab - its number */
  function open(tab: number, options: SyncTabsOptions = {}) {
    class Api<
      const Options extends ConstructorParameters<typeof RestEndpoint>[0],
    > extends RestEndpoint<Options> {
      override fetchResponse(url: string, init: RequestInit) {
        return truth.send(tab, url, init)
      }
    }
    const todos = createResource({ path: '/todo/:id', schema: Todo, optimistic, Endpoint: Api as never })
    const channel = (name: string) => channels.open(tab, name)
    const controller = new Controller({
      clock,
      middleware: [syncTabs({ endpoints: [todos], channel, locks: locks.of(tab), ...options })],
    })
    onTestFinished(() => controller.dispose())
    const titles = () => (controller.read(todos.getList).data ?? []).map(({ id, title }) => [id, title])
    const status = () => controller.read(todos.getList).status
    return { controller, todos, titles, status }
  }

  /** Handles and answers all requests of a tab. */
  async function serve(tab: number): Promise<void> {
    await settle()
    while ((truth.waiting.get(tab) ?? []).length > 0) {
      truth.handle(tab)
      truth.answer(tab)
      await settle()
    }
  }

  return { clock, channels, locks, truth, open, serve }
}
