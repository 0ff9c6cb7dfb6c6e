import { dehydrate, deserialize, hydrate, serialize } from '../hydration.js'
import { Controller } from '../index.js'
import { TestClock } from '../testing.js'
import { appFilters, judgeApp } from './testing-app-judge.js'
import { AppNetwork } from './testing-app-network.js'
import { AppPage } from './testing-app-page.js'
import { AppServer } from './testing-app-server.js'
import type { ServerMessage } from './testing-app-server.js'
import type { AppStyle } from './testing-app.js'

/** How often a step is chosen. */
const weights = {
  handle: 10,
  answer: 10,
  message: 4,
  quiet: 2,
  openList: 3,
  openDetail: 1,
  openComments: 1,
  close: 2,
  more: 4,
  create: 3,
  edit: 2,
  toggle: 4,
  describe: 1,
  delete: 2,
  comment: 2,
  uncomment: 1,
  rename: 1,
  refetch: 1,
  expire: 1,
  refuse: 1,
  lose: 1,
  other: 2,
  gap: 1,
  reload: 1,
  render: 1,
  part: 1,
  abort: 2,
} as const

type StepName = keyof typeof weights
/** A step, and two numbers that choose what it does it with. */
export type AppStep = readonly [name: StepName, first: number, second: number]

/** The names of steps, each as often as it is chosen. */
export const appStepNames: readonly StepName[] = Object.entries(weights).flatMap(([name, weight]) =>
  Array<StepName>(weight).fill(name as StepName),
)

/** An application and its server. */
export class AppWorld {
  readonly log: string[] = []
  readonly page: AppPage
  /** How many requests of reads one step has led to, at most. */
  mostReads = 0
  readonly #style: AppStyle
  readonly #server = new AppServer()
  readonly #network: AppNetwork
  readonly #clock = new TestClock()
  #messages: { readonly message: ServerMessage; readonly place: number }[] = []
  #isInGap = false
  /** `true` if something happened that nobody told the client. */
  #isUntold = false
  #wasUntold = false
  /** `true` if a mutation was aborted, or its answer lost, since all was quiet: that is not in a dehydrated state. */
  #isUnsure = false
  /** What a server has rendered. */
  #part: string | undefined
  #abort: AbortController | undefined
  /** Tasks of which the answer to a comment was lost. */
  readonly #doubtful = new Set<string>()
  #count = 0

  constructor(style: AppStyle) {
    this.#style = style
    this.#network = new AppNetwork(this.#server, this.log, style.isLive)
    this.page = new AppPage(style, this.#network, this.#clock)
    this.#network.onLost = ({ url, body }) => this.#doubt(url, body)
    // A message may be late, but no later than what was read after its change: what that counts, only the server knows.
    this.#network.onAnswer = (place) => {
      while ((this.#messages[0]?.place ?? Infinity) <= place) this.#deliver()
    }
    this.#server.tell = (message) => {
      if (style.isLive && !this.#isInGap) this.#messages.push({ message, place: this.#network.handled })
      else if (style.isLive) this.#isUntold = true
    }
  }

  /** @throws {Error} naming what is wrong */
  async run(steps: readonly AppStep[]): Promise<void> {
    try {
      this.page.open('list', {}, 0)
      await this.#quiet()
      for (const step of steps) {
        this.#clock.advance(2)
        this.log.push(step.join(' '))
        await this.#step(step)
        await settleApp()
        this.#checkRows()
      }
      this.log.push('end')
      await this.#quiet()
    } finally {
      this.page.leave()
    }
  }

  async #step([name, first, second]: AppStep): Promise<void> {
    const { page } = this
    const { taskResource: tasks, comments, userResource, addComment, deleteComment } = page.app
    const { readers, lists, controller } = page
    const list = lists[first % lists.length]
    const rows = list === undefined ? [] : (page.readList(list.filter).data?.items ?? [])
    const row = rows[second % rows.length]
    const send = (what: string, promise: Promise<unknown>) => {
      this.log.push(`  ${what}`)
      promise.catch(() => {})
    }
    const patch = (body: object, mayAbort = true) => {
      if (row === undefined) return
      const abort = new AbortController()
      if (mayAbort) this.#abort = abort
      const endpoint = tasks.partialUpdate.extend({ signal: abort.signal })
      send(`PATCH ${row.id}`, controller.fetch(endpoint, { id: row.id }, body as never))
    }
    const allowed = this.#style.hasRules ? appFilters : appFilters.slice(0, 4)
    if (name === 'handle') this.#network.handle(first)
    else if (name === 'answer') this.#network.answer(first)
    else if (name === 'message') this.#deliver()
    else if (name === 'quiet') await this.#quiet()
    else if (name === 'openList') page.open('list', allowed[first % allowed.length] ?? {}, 0)
    else if (name === 'openDetail' && row) page.open('detail', {}, row.id)
    else if (name === 'openComments' && row) page.open('comments', {}, row.id)
    else if (name === 'close' && readers.length > 1) page.close(readers[first % readers.length] as never)
    else if (name === 'more') list?.loadMore()
    else if (name === 'create') {
      const body = {
        ...(this.#style.hasOwnIds && { id: `c${++this.#count}` }),
        title: first % 2 === 0 ? 'x' : 'y',
        state: second % 2 === 0 ? 'todo' : 'done',
        project: 1 + (second % 3),
        createdAt: 100 + this.#clock.now(),
        assigneeId: 1,
      } as never
      // Without an order the client has to say where new tasks belong.
      const endpoint = this.#style.hasRules ? tasks.create : tasks.getList.unshift
      send('create', controller.fetch(endpoint as typeof tasks.create, body))
    } else if (name === 'edit') patch({ title: row?.title === 'x' ? 'y' : 'x' })
    else if (name === 'toggle') patch({ state: row?.state === 'todo' ? 'done' : 'todo' })
    else if (name === 'describe') patch({ description: `${first} ${second}` }, false)
    else if (name === 'delete' && row) {
      for (const reader of readers) if (reader.kind !== 'list' && reader.id === row.id) page.close(reader)
      send(`DELETE ${row.id}`, controller.fetch(tasks.delete, { id: row.id }))
    } else if (name === 'comment' && row) {
      const id = this.#style.hasOwnIds ? { id: `k${++this.#count}` } : {}
      send(`comment ${row.id}`, controller.fetch(addComment, { ...id, taskId: row.id, text: 'new' } as never))
    } else if (name === 'uncomment') {
      const shown = readers.filter(({ kind }) => kind === 'comments')
      const { id: taskId = 0 } = shown[first % shown.length] ?? {}
      const all = controller.read(comments.getList, { taskId }).data ?? []
      const comment = all[second % all.length]
      if (comment)
        send(`uncomment ${comment.id}`, controller.fetch(deleteComment, { id: comment.id, taskId }))
    } else if (name === 'rename')
      send(
        'rename',
        controller.fetch(userResource.partialUpdate, { id: 1 + (first % 2) }, { name: `n${second}` }),
      )
    else if (name === 'refetch' && list) send('GET', controller.fetch(tasks.getList, list.filter))
    else if (name === 'expire') this.#expireAll()
    else if (name === 'refuse') this.#network.refusal = first % 2 === 0 ? 422 : 500
    else if (name === 'lose') this.#network.isLost = true
    else if (name === 'other') this.#changeByOther(first, second)
    else if (name === 'gap' && this.#style.isLive && this.#style.isRefetched) this.#gap()
    else if (name === 'reload' && this.#network.mutations === 0 && !this.#isUnsure) page.reload()
    else if (name === 'render') await this.#render()
    else if (name === 'part') this.#receivePart()
    else if (name === 'abort') this.#abort?.abort()
    if (name === 'abort' || name === 'lose') this.#isUnsure = true
  }

  #doubt(url: string, body: object): void {
    const { taskId } =
      (body as { readonly taskId?: number | string }).taskId === undefined
        ? (this.#server.comments.get(url.split('/')[2] ?? '') ?? { taskId: '' })
        : (body as { readonly taskId: number | string })
    this.#doubtful.add(String(taskId))
  }

  #expireAll(): void {
    const { controller, app } = this.page
    for (const endpoint of app.reads) controller.expireAll(endpoint)
  }

  /** A message arrives. */
  #deliver(): void {
    const { message } = this.#messages.shift() ?? {}
    const { sink, app, controller } = this.page
    if (message === undefined || sink === undefined) return
    this.log.push(`    message ${JSON.stringify(message)}`)
    app.apply(controller, sink, message)
  }

  #gap(): void {
    this.#isInGap = !this.#isInGap
    if (this.#isInGap) return
    this.page.sink?.expire()
    this.#isUntold = false
  }

  #changeByOther(first: number, second: number): void {
    const { isLive, isRefetched } = this.#style
    // Of a later page a refetch of the first one tells nothing.
    if (!isLive && !isRefetched) return
    const rows = this.#server.list({})
    const row = rows[first % rows.length]
    const id = row?.id ?? 0
    const [method, url, body] = (
      [
        ['PATCH', `/task/${id}`, { state: row?.state === 'todo' ? 'done' : 'todo' }],
        ['DELETE', `/task/${id}`, {}],
        ['POST', '/task', { title: 'x', createdAt: 100 + this.#clock.now() }],
        ['PATCH', `/task/${id}`, { title: row?.title === 'x' ? 'y' : 'x' }],
        ['POST', '/comment', { taskId: id, text: 'other' }],
        ['PATCH', '/user/1', { name: `o${first}` }],
      ] as const
    )[second % 6] ?? ['', '', {}]
    this.log.push(`  another client: ${method} ${url} ${JSON.stringify(body)}`)
    this.#server.handle(method, url, body)
    if (!isLive) this.#isUntold = true
  }

  /** A server renders a part of the page. */
  async #render(): Promise<void> {
    const onServer = new Controller({
      clock: this.#clock,
      fetch: (async (url: string) => {
        const { status, value } = this.#server.handle('GET', url, {})
        return Response.json(value, { status })
      }) as typeof fetch,
    })
    const { getList } = this.page.app.taskResource
    await Promise.all(this.page.lists.map(({ filter }) => onServer.fetch(getList, filter)))
    this.#part = serialize(dehydrate(onServer))
    onServer.dispose()
  }

  #receivePart(): void {
    if (this.#part !== undefined) hydrate(this.page.controller, deserialize(this.#part) as never)
    this.#part = undefined
  }

  // --- the judgment ---

  #checkRows(): void {
    const { wrong } = this.#network
    for (const { filter } of this.page.lists) {
      const ids = (this.page.readList(filter).data?.items ?? []).map(({ id }) => String(id))
      if (new Set(ids).size < ids.length) wrong.push(`${JSON.stringify(filter)} shows twice: ${ids.join()}`)
    }
    if (wrong.length > 0) throw new Error([...wrong, ...this.log].join('\n'))
  }

  /** All answers and messages arrive; then all that is Valid is as on the server. After a check by readers all on screen is. */
  async #quiet(): Promise<void> {
    if (this.#isInGap) this.#gap()
    await this.#passAll()
    if (this.#isUntold) this.#expireAll()
    this.#wasUntold ||= this.#isUntold
    this.#isUntold = false
    await this.#passAll()
    this.#judge(false)
    for (const isLast of [false, true]) {
      this.log.push('  refetchStale')
      this.page.controller.refetchStale()
      await this.#passAll()
      this.#judge(isLast)
    }
    this.#isUnsure = false
  }

  async #passAll(): Promise<void> {
    this.#network.reads.clear()
    const most = 3 + this.#network.mutations
    await settleApp()
    while (!this.#network.isIdle || this.#messages.length > 0) {
      this.#network.handle(0)
      this.#network.answer(0)
      await settleApp()
      this.#deliver()
      await settleApp()
      // Timers, such as the one that ends when a component has rendered what it waited for.
      this.#clock.advance(2)
      for (const [url, count] of this.#network.reads) {
        this.mostReads = Math.max(this.mostReads, count)
        if (count > most) throw new Error([`${url} was read ${count} times`, ...this.log].join('\n'))
      }
    }
  }

  /** @param isFresh - `true` if all on screen has to be Valid */
  #judge(isFresh: boolean): void {
    const { wrong } = this.#network
    wrong.push(
      ...judgeApp(this.page, this.#server, { isFresh, wasUntold: this.#wasUntold, doubtful: this.#doubtful }),
    )
    if (wrong.length > 0) throw new Error([...wrong, ...this.log].join('\n'))
  }
}

/** Waits for the promises of an answer. */
async function settleApp(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}
