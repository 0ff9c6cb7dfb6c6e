import { connect, eventSource } from '@selfsame/core/live'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { optimistic } from '@selfsame/core/optimistic'
import { persist, persisted } from '@selfsame/core/persist'
import { RestEndpoint, createResource } from '@selfsame/core/rest'
import { syncTabs } from '@selfsame/core/tabs'
import { Controller, Entity } from '@selfsame/core'
import type { Middleware } from '@selfsame/core'

/** The page of the tests in Chromium: what a user could do, as functions. */

class Todo extends Entity {
  id: number | string = 0
  title = ''
  done = false
  static override key = 'Todo'
}

/** `undefined` also in a sandboxed frame, which has no `localStorage`. */
const user = () => {
  try {
    return localStorage.getItem('user') ?? undefined
  } catch {
    return undefined
  }
}

class Api<const Options extends ConstructorParameters<typeof RestEndpoint>[0]> extends RestEndpoint<Options> {
  override getHeaders(headers: Readonly<Record<string, string>>) {
    const name = user()
    return name === undefined ? headers : { ...headers, 'X-User': name }
  }
}

const todos = createResource({ path: '/todo/:id', schema: Todo, optimistic, Endpoint: Api as never })
const upload = new RestEndpoint({ path: '/file', method: 'POST', body: {} as FormData, name: 'upload' })

const given = new URLSearchParams(location.search)
/** What the page uses: `tabs` alone, all of it, or the outbox and persistence. */
const use = given.get('use')
const scope = given.has('unscoped') ? undefined : user
const offline = [
  outbox({ endpoints: [todos, upload], scope, delayMs: () => 50 }),
  persist({ version: Number(given.get('version') ?? 1), scope }),
]
const tabs = [syncTabs({ endpoints: [todos], version: given.get('version') ?? 1, sharesStreams: true })]
const warnings: string[] = []
const { warn } = console
console.warn = (text: string) => {
  warnings.push(text)
  warn(text)
}
/** Deletes what `remove` was called for when `close` is called: see the recipe for undo. */
let notice = new AbortController()
let close = () => {}
const afterNotice: Middleware = () => ({
  passesOn: true,
  async request({ endpoint: { signal } }, next) {
    if (signal === notice.signal)
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        close = resolve
      })
    return next()
  },
})
const controller = new Controller({
  middleware: [afterNotice, ...(use === 'tabs' ? [] : offline), ...(use === null ? [] : tabs)],
})
const box = outboxOf(controller)

const messages = eventSource('/stream', { batchMs: 0 })
let end: (() => void) | undefined

/** With `load` in its address the page reads the list when it is opened. */
if (given.has('load')) void controller.fetch(todos.getList)

const page = {
  /** What a list on the screen shows. */
  shown: () => (controller.read(todos.getList).data ?? []).map(({ id, title }) => [id, title] as const),
  load: async () => {
    await controller.fetch(todos.getList)
  },
  edit: (id: number | string, title: string) => {
    controller.fetch(todos.partialUpdate, { id } as never, { title }).catch(() => {})
  },
  remove: (id: number) => {
    notice = new AbortController()
    controller.fetch(todos.delete.extend({ signal: notice.signal }), { id }).catch(() => {})
  },
  undo: () => notice.abort(),
  close: () => close(),
  /** @returns the temporary id */
  create: (title: string) => {
    controller.fetch(todos.getList.push, { title } as never).catch(() => {})
    return controller.read(todos.getList).data?.at(-1)?.id
  },
  upload: (content: string) => {
    const form = new FormData()
    form.append('file', new File([content], 'note.txt', { type: 'text/plain' }))
    controller.fetch(upload, form).catch(() => {})
  },
  ready: async () => {
    await Promise.all([box.ready, persisted(controller).ready])
  },
  /** Resolves when all is written that was made and received so far. */
  kept: async () => {
    await Promise.all([box.written(), persisted(controller).flush()])
  },
  mutations: () =>
    box.mutations.map(({ endpoint, status, reason, isWritten }) => ({ endpoint, status, reason, isWritten })),
  drop: () => box.drop(),
  status: () => controller.read(todos.getList).status,
  /** Reads one record as a screen does, when it is opened. */
  connect: async () => {
    const live = todos.get.extend({ stream: messages.stream() })
    await controller.fetch(live, { id: 1 })
    end = connect(controller, live, { id: 1 })
  },
  disconnect: () => end?.(),
  statusOfOne: () => controller.read(todos.get, { id: 1 }).status,
  title: () => controller.get(Todo, { id: 1 })?.title,
  expire: () => controller.expireAll(todos.getList),
  signIn: (name: string) => {
    localStorage.setItem('user', name)
    controller.resetAll()
  },
  /** Stores records, as a large response does. */
  fill: (count: number) =>
    controller.batch(() => {
      for (let id = 1; id <= count; id++) controller.set(Todo, { id }, { id, title: `Secret ${id}` })
    }),
  /** The count of records of `fill` that are there. */
  filled: (count: number) =>
    Array.from({ length: count }, (_, index) => controller.get(Todo, { id: index + 1 })).filter(Boolean)
      .length,
  reset: () => controller.resetAll(),
  warnings,
}

export type OfflinePage = typeof page

Object.assign(window, { page })
