import { ManualNetwork } from '@selfsame/conformance'
import { onTestFinished } from 'vitest'
import { Controller, Entity } from '../index.js'
import type { ControllerOptions, Middleware } from '../index.js'
import { optimistic } from '../optimistic.js'
import { outbox, outboxOf } from '../outbox.js'
import type { Channel, Locks, OutboxOptions } from '../outbox.js'
import { RestEndpoint, createResource } from '../rest.js'
import { memoryStorage } from '../storage.js'
import type { RowStorage } from '../storage.js'
import { TestClock } from '../testing.js'
import { createSettleable } from '../util/settleable.js'

export class Todo extends Entity {
  id = 0
  title = ''
  done = false
  static override key = 'Todo'
}

export const urlPrefix = 'https://api.test'

/** Waits until all that can go on without time has gone on. */
export async function settle(rounds = 12): Promise<void> {
  for (let round = 0; round < rounds; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A request as the server got it. */
export interface Received {
  readonly name: string
  readonly key: string | null
  readonly user: string | null
  readonly body: unknown
}

/** A server that keeps the truth, and honours idempotency keys. */
export class TruthServer {
  readonly todos = new Map<number, { id: number; title: string; done: boolean }>()
  /** The requests that it got, in order. */
  readonly received: Received[] = []
  /** The changes that it carried out, in order. */
  readonly applied: Received[] = []
  readonly #answers = new Map<string, Response>()
  #ids = 100
  /** Returns a status in place of what would be done; `lost` does it and loses the answer; `down` does nothing. */
  fault: (received: Received) => number | 'lost' | 'down' | undefined = () => undefined
  /** Holds answers back. */
  gate: (received: Received) => Promise<void> = () => Promise.resolve()

  constructor() {
    for (const id of [1, 2, 3]) this.todos.set(id, { id, title: `Todo ${id}`, done: false })
  }

  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : (init.body ?? undefined)
    const received: Received = {
      name: `${init.method ?? 'GET'} ${String(url).slice(urlPrefix.length)}`,
      key: headers.get('idempotency-key'),
      user: headers.get('x-user'),
      body,
    }
    this.received.push(received)
    const fault = this.fault(received)
    if (fault === 'down') throw new TypeError('Failed to fetch')
    if (typeof fault === 'number') {
      await this.gate(received)
      return Response.json({ message: `Status ${fault}` }, { status: fault })
    }
    const known = received.key === null ? undefined : this.#answers.get(received.key)
    const response = known ?? this.#carryOut(received)
    if (received.key !== null && response.ok) this.#answers.set(received.key, response)
    await this.gate(received)
    if (fault === 'lost') throw new TypeError('Failed to fetch')
    return response.clone()
  }

  #carryOut(received: Received): Response {
    const [method, path = ''] = received.name.split(' ')
    const id = Number(path.split('/')[2])
    const todo = this.todos.get(id)
    const body = received.body as object
    if (method === 'GET') {
      if (path === '/todo') return Response.json([...this.todos.values()])
      return todo === undefined ? Response.json({}, { status: 404 }) : Response.json(todo)
    }
    this.applied.push(received)
    if (method === 'POST' && path === '/todo') {
      const made = { title: '', done: false, ...body, id: ++this.#ids }
      this.todos.set(made.id, made)
      return Response.json(made)
    }
    if (path.startsWith('/file')) return Response.json({ ok: true })
    if (todo === undefined) return Response.json({}, { status: 404 })
    if (method === 'DELETE') {
      this.todos.delete(id)
      return Response.json({})
    }
    const changed = { ...todo, ...body, id }
    this.todos.set(id, changed)
    return Response.json(changed)
  }
}

/** The locks of one browser. */
export class TestLocks implements Locks {
  #last = new Map<string, Promise<unknown>>()

  request<Value>(
    name: string,
    { signal }: { readonly signal?: AbortSignal },
    run: () => Promise<Value>,
  ): Promise<Value> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const held = before.then(() => {
      signal?.throwIfAborted()
      return run()
    })
    this.#last.set(
      name,
      held.catch(() => {}),
    )
    return held
  }
}

/** The channels of one browser. */
export class TestChannels {
  readonly #open = new Set<Channel & { readonly name: string }>()
  /** What was posted. */
  readonly posted: unknown[] = []

  readonly channel = (name: string): Channel => {
    const open = this.#open
    const { posted } = this
    const channel: Channel & { readonly name: string } = {
      name,
      onmessage: null,
      postMessage(message) {
        const data: unknown = structuredClone(message)
        posted.push(data)
        for (const other of open) {
          if (other === channel || other.name !== name) continue
          setImmediate(() => {
            if (open.has(other)) other.onmessage?.({ data } as never)
          })
        }
      },
      close: () => void open.delete(channel),
    }
    open.add(channel)
    return channel
  }
}

/** The process of a tab. */
export class Process {
  isKilled = false
  readonly #killed = createSettleable<undefined>()

  kill(): void {
    this.isKilled = true
    this.#killed.resolve(undefined)
  }

  /** The storage as the process uses it: not at all after it was killed. @param isFailing - read before each operation */
  storage(storage: RowStorage, isFailing: () => boolean): RowStorage {
    const use = async <Value>(run: () => Promise<Value>): Promise<Value> => {
      const never = new Promise<never>(() => {})
      if (this.isKilled) return never
      if (isFailing()) throw new Error('The connection to the storage was lost.')
      const value = await run()
      return this.isKilled ? never : value
    }
    return {
      list: (...args) => use(() => storage.list(...args)),
      read: (keys) => use(() => storage.read(keys)),
      write: (rows, isStrict) => use(() => storage.write(rows, isStrict)),
      close: () => storage.close(),
    }
  }

  /** The locks as the process uses them: it leaves those that it holds when it is killed. */
  locks(locks: Locks): Locks {
    return {
      request: (name, options, run) =>
        locks.request(name, options, () =>
          Promise.race([run(), this.#killed.promise as Promise<unknown> as Promise<never>]),
        ),
    }
  }
}

/**
 * A browser with a storage and tabs, and a server.
 *
 * @param given - the storage of all tabs, or a function that opens one for each tab
 * @param onEnd - is given a function that closes all tabs
 */
export function createBrowser(
  given: RowStorage | (() => RowStorage) = memoryStorage(),
  onEnd: (close: () => void) => void = onTestFinished,
) {
  const storageFault: { isFailing: () => boolean } = { isFailing: () => false }
  const openStorage = typeof given === 'function' ? given : () => given
  const storage = openStorage()
  const server = new TruthServer()
  const network = new ManualNetwork()
  const clock = new TestClock()
  const locks = new TestLocks()
  const { channel } = new TestChannels()
  const session: { user: string | undefined } = { user: undefined }
  class Api<
    const Options extends ConstructorParameters<typeof RestEndpoint>[0],
  > extends RestEndpoint<Options> {
    override getHeaders(headers: Readonly<Record<string, string>>) {
      return session.user === undefined ? headers : { ...headers, 'X-User': session.user }
    }
  }
  const todos = createResource({
    urlPrefix,
    path: '/todo/:id',
    schema: Todo,
    optimistic,
    Endpoint: Api as never,
  })
  const isOffline = () => !network.isOnline()
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    if (isOffline()) throw new TypeError('Failed to fetch')
    return server.fetch(url, init)
  }
  const tabs = new Map<Controller, Process>()

  /** Opens a tab. */
  function open(options: OutboxOptions = {}, more: ControllerOptions = {}, ...middleware: Middleware[]) {
    const process = new Process()
    const platform = {
      storage: process.storage(openStorage(), () => storageFault.isFailing()),
      locks: process.locks(locks),
      channel,
      network,
    }
    const controller = new Controller({
      clock,
      fetch: fetch as typeof globalThis.fetch,
      middleware: [
        outbox({ endpoints: [todos], delayMs: () => 1000, ...platform, ...options }),
        ...middleware,
      ],
      ...more,
    })
    tabs.set(controller, process)
    return { controller, box: outboxOf(controller), todos }
  }

  /** Ends a tab, as a reload does. */
  function crash(controller: Controller): void {
    tabs.delete(controller)
    controller.dispose()
  }

  /** Ends the process of a tab: it writes no more. */
  function kill(controller: Controller): void {
    tabs.get(controller)?.kill()
    crash(controller)
  }

  onEnd(() => tabs.forEach((_, controller) => controller.dispose()))
  return {
    server,
    network,
    clock,
    locks,
    channel,
    session,
    todos,
    storage,
    storageFault,
    open,
    crash,
    kill,
    settle,
    Api,
  }
}
