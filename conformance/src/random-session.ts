import { Controller, schema } from '@selfsame/core'
import { dehydrate, deserialize, hydrate, serialize } from '@selfsame/core/hydration'
import { outbox, outboxOf } from '@selfsame/core/outbox'
import { persist, persisted } from '@selfsame/core/persist'
import { memoryStorage } from '@selfsame/core/storage'
import { syncTabs } from '@selfsame/core/tabs'
import { BrowserLocks, Channels } from './browser-tabs.js'
import { ManualClock } from './clock.js'
import { nextTask } from './next-task.js'
import {
  Bug,
  SummarizedTask,
  Task,
  TaskSummary,
  User,
  bulkOf,
  connectedOf,
  groupsOf,
  hasNoPlace,
  isPaged,
  listArgs,
  pagedOf,
  pollMs,
  sortedOf,
  tasksOf,
  never,
  toLabel,
  toMany,
  usersOf,
  voteOf,
} from './task-app.js'
import type { Bulk, MountedTaskApp, Place, Row, Send, Style, TaskApp } from './task-app.js'
import { TaskServer, userIds } from './task-server.js'

/** A request on its way. */
interface Sent {
  readonly name: string
  /** Where it was sent. */
  readonly tab: Tab
  /** Lets the server handle it. */
  readonly handle: () => Response
  readonly answer: (response: Response | Promise<never>) => void
  response: Response | undefined
}

/** From 0 up to, and not including, the limit. The generator mulberry32. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

const groupIds = [1, 2]

/** A page of the application: after a reload it is another one. */
interface Tab {
  /** Counts the pages of the browser. */
  readonly number: number
  readonly controller: Controller
  readonly tasks: ReturnType<typeof tasksOf>
  readonly users: ReturnType<typeof usersOf>
  readonly groups: ReturnType<typeof groupsOf>
  readonly bulk: ReturnType<typeof bulkOf>
  readonly vote: ReturnType<typeof voteOf>
}

/** The user of an application, whose requests are handled and answered in any order. */
export class Session {
  readonly clock = new ManualClock()
  readonly #storage = memoryStorage()
  readonly #channels = new Channels()
  readonly #locks = new BrowserLocks()
  readonly #mount: (app: TaskApp) => Promise<MountedTaskApp>
  #page: Tab
  #tabCount = 0
  /** Another tab, in which nothing is on the screen. */
  readonly #other: Tab | undefined
  readonly log: string[] = []
  /** What was asked for although the client knew that it was deleted, and no detail of it was open. */
  readonly #superfluous: string[] = []
  #place: Place = { group: 1, isListed: true, selected: undefined }
  /** A transition keeps it on the screen for a moment. */
  #placeBefore = this.#place
  readonly #server: TaskServer
  readonly #sent: Sent[] = []
  /** The ids of which the client knows that they were deleted. */
  readonly #gone = new Set<number>()
  /** The ids whose details were to be fetched again in any case. */
  readonly #wanted = new Set<number>()
  #random: (limit: number) => number = () => 1
  /** `true` if a response was lost, so that the next check fetches what it may have changed. */
  #isStale = false
  /** `true` if no item was shown when the last response arrived. */
  #wasHidden = true
  readonly #served: string[] = []
  /** By idempotency key. */
  readonly #answers = new Map<string, Response>()
  /** `true` if a request for data failed: the user opens again what does not show it. */
  #hasBroken = false
  /** `true` when the user does nothing more, and the server is well. */
  #isEnding = false
  /** `true` once all pages were fetched again in the end. */
  #isRefreshed = false
  /** How often the end waits for a poll. */
  #pollsLeft = 2
  #app: MountedTaskApp | undefined
  readonly #style: Style

  constructor(style: Style, mount: (app: TaskApp) => Promise<MountedTaskApp>) {
    this.#style = style
    this.#mount = mount
    this.#server = isPaged(style)
      ? new TaskServer(9, { pageSize: 2, isNumbered: style.listing === 'numbered pages' })
      : new TaskServer(4, {
          hasKinds: this.#hasKinds,
          hasEnvelopes: this.#hasEnvelopes,
          hasSummaries: this.#hasSummaries,
        })
    this.#page = this.#openTab()
    if (style.surroundings.includes('tabs')) this.#other = this.#openTab(false)
  }

  #openTab(isKept = this.#style.surroundings.includes('kept')): Tab {
    const send: Send = (...request) => this.#send(tab, ...request)
    const [tasks, users] = [tasksOf(send, this.#style), usersOf(send, this.#style)]
    const groups = groupsOf(send, this.#style)
    const bulk = bulkOf(send, tasks, this.#style)
    const vote = voteOf(send, this.#style)
    const number = ++this.#tabCount
    const browser = {
      channel: (name: string) => this.#channels.open(number, name),
      locks: this.#locks.of(number),
    }
    const controller = new Controller({
      clock: this.clock,
      middleware: [
        ...(this.#hasOutbox
          ? [
              outbox({
                endpoints: [tasks, users, groups, bulk, { vote }],
                storage: this.#storage,
                delayMs: () => 1000,
                ...browser,
              }),
            ]
          : []),
        ...(isKept ? [persist({ storage: this.#storage })] : []),
        ...(this.#style.surroundings.includes('tabs')
          ? [
              syncTabs({
                endpoints: [tasks, users, groups, bulk, { vote }, pagedOf(tasks, this.#style)],
                ...browser,
              }),
            ]
          : []),
      ],
    })
    const tab = { number, controller, tasks, users, groups, bulk, vote }
    return tab
  }

  /** The server renders a page, whose data is on its way then. */
  async #render(group: number): Promise<void> {
    const send: Send = async (_method, url) => this.#read(new URL(url, 'http://server'))
    const controller = new Controller({ clock: this.clock })
    const tasks = tasksOf(send, this.#style)
    const { getList, get } = tasks
    if (this.#isNested) await controller.fetch(groupsOf(send, this.#style).get, { id: group })
    else if (isPaged(this.#style)) await controller.fetch(pagedOf(tasks, this.#style), listArgs(group))
    else await controller.fetch(getList, listArgs(group))
    const { selected } = this.#place
    if (selected !== undefined) await controller.fetch(get, { id: selected }).catch(() => {})
    this.#served.push(serialize(dehydrate(controller)))
    controller.dispose()
    this.clock.advance(1)
  }

  /** The response to a request for data. */
  #read({ pathname, searchParams }: URL): Response {
    const [, kind, part] = pathname.split('/')
    const id = Number(part)
    if (kind === 'group') return Response.json({ id, tasks: this.#server.listOf(id, null) })
    if (part !== undefined) return this.#server.handle('GET', id, {})
    return Response.json(this.#server.listOf(Number(searchParams.get('group')), searchParams.get('cursor')))
  }

  /** `true` for a list in pages that are not fetched again together. */
  get #isInPages(): boolean {
    return this.#style.listing === 'pages' || this.#style.listing === 'ordered pages'
  }

  get #isByRules(): boolean {
    return this.#style.listing === 'rules' || this.#style.listing === 'ordered pages'
  }

  get #isNested(): boolean {
    return this.#style.listing === 'nested'
  }

  get #hasKinds(): boolean {
    return this.#style.listing === 'kinds'
  }

  get #hasEnvelopes(): boolean {
    return this.#style.listing === 'envelope'
  }

  get #hasSummaries(): boolean {
    return this.#style.listing === 'summaries'
  }

  get #hasOutbox(): boolean {
    return this.#style.surroundings.includes('outbox')
  }

  /** `true` if the list is read by a Query that throws now and then, and another user is heard of at once. */
  get #throws(): boolean {
    return this.#style.listing === 'Query' && !this.#isToldLate
  }

  #classOf(id: number): typeof Task {
    if (this.#hasSummaries) return SummarizedTask
    return this.#server.kindOf(id) === 'bug' ? Bug : Task
  }

  /** `true` if the client is not told of what other users change as they do it. */
  get #isToldLate(): boolean {
    return this.#style.surroundings === 'polled' || this.#style.surroundings === 'live'
  }

  get screen(): HTMLElement {
    return this.#opened.screen
  }

  get #opened(): MountedTaskApp {
    if (this.#app === undefined) throw new Error('The page is not open.')
    return this.#app
  }

  async open(): Promise<void> {
    const { controller, tasks, groups } = this.#page
    const [paged, sorted] = [pagedOf(tasks, this.#style), sortedOf(tasks)]
    this.#app = await this.#mount({
      ...this.#style,
      controller,
      tasks,
      groups,
      paged,
      sorted,
      connected: connectedOf(tasks, groups, this.#style, this.#server.sockets.WebSocket),
      place: this.#place,
    })
  }

  /** The page is closed, and another one is opened. */
  async #reload(): Promise<void> {
    const { controller } = this.#page
    // A page that crashes writes nothing more.
    if (this.#random(2) === 0) await persisted(controller).flush()
    await this.#close()
    // Whether a request has reached the server or not, the client does not hear of it.
    for (const sent of this.#sent.filter(({ tab }) => tab === this.#page)) {
      this.#sent.splice(this.#sent.indexOf(sent), 1)
      if (sent.response === undefined && this.#random(2) === 0) sent.handle()
    }
    this.#gone.clear()
    this.#page = this.#openTab()
    await this.open()
  }

  async #close(): Promise<void> {
    await this.#app?.unmount()
    this.#page.controller.dispose()
    this.#locks.close(this.#page.number)
  }

  async end(): Promise<void> {
    await this.#close()
    this.#other?.controller.dispose()
  }

  #send(
    tab: Tab,
    method: string,
    url: string,
    body: Partial<Row & User>,
    key: string | null,
  ): Promise<Response> {
    const parsed = new URL(url, 'http://server')
    const [, kind, part, verb] = parsed.pathname.split('/')
    const id = Number(part ?? NaN)
    const name = `${method} ${url}${method === 'GET' ? '' : ` ${JSON.stringify(body)}`}`
    this.log.push(`  ${tab === this.#other ? 'other tab: ' : ''}${name}`)
    // Left: what the items of a list ask for that waits for other data, also as that arrives.
    const isHidden = this.#isHidden || this.#wasHidden
    const isShown = [this.#place, this.#placeBefore].some(({ selected }) => selected === id)
    // Another tab may tell of it later, and in a transition what was deleted stays on the screen.
    const mayReturn = this.#other !== undefined || this.#app?.perform !== undefined || this.#isToldLate
    const isWanted = kind !== 'task' || this.#wanted.has(id) || isShown || isHidden || mayReturn
    if (method === 'GET' && this.#gone.has(id) && !isWanted) this.#superfluous.push(name)
    const isRefused = method !== 'GET' && this.#random(7) === 0
    // What is opened again after an error is fetched again, and would not show what a message did not tell.
    const isLive = this.#style.surroundings === 'live'
    const isBroken = method === 'GET' && !this.#isEnding && !isLive && this.#random(12) === 0
    // Of a list in pages, a refetch of the first one does not tell what such a change did to another.
    const answers = this.#isInPages ? 1 : 8
    const isEdit = method === 'PATCH' || method === 'PUT' || verb === 'vote'
    const kindOfAnswer = isEdit ? this.#random(answers) : 0
    const bulk = method === 'PATCH' && part === undefined ? toMany(body as Bulk) : undefined
    const respond = () => {
      if (kind === 'user') return this.#server.renameUser(id, body.name)
      if (method === 'GET') return this.#read(parsed)
      if (verb === 'vote') return this.#server.vote(id)
      if (bulk !== undefined) return this.#server.changeMany(bulk)
      return this.#server.handle(method, id, body)
    }
    const handle = () => {
      const known = this.#answers.get(key ?? '')
      if (known !== undefined) {
        // It tells what was then, so the next check fetches.
        this.#isStale = true
        return known.clone()
      }
      const response = handleOnce()
      if (key !== null) this.#answers.set(key, response.clone())
      return response
    }
    const handleOnce = () => {
      if (isRefused) return new Response(null, { status: 422 })
      if (isBroken) return new Response(null, { status: 503 })
      const response = respond()
      if (response.status !== 200) return response
      if (kindOfAnswer === 1) return new Response(null, { status: 204 })
      // The server sends back what it received, with the id that is in the address or without it.
      const own = { ...(kindOfAnswer === 2 && { id }), kind: this.#server.kindOf(id), ...body }
      const known = bulk?.filter((each) => this.#server.rows.has(each.id))
      const many = known?.map((each) => Object.assign({ kind: this.#server.kindOf(each.id) }, each))
      const isEcho = kindOfAnswer === 2 || (kindOfAnswer === 3 && !this.#hasEnvelopes)
      return isEcho && verb === undefined && body.owner === undefined
        ? this.#server.answerOf(many ?? own)
        : response
    }
    return new Promise((answer) => this.#sent.push({ name, tab, handle, answer, response: undefined }))
  }

  /** `true` while no item of the list is shown. */
  get #isHidden(): boolean {
    return this.#app === undefined || shownIn(this.#app.screen, 'li').length === 0
  }

  /** Lets a message through to another tab, also one of a page that is closed. @returns `false` if there is none */
  #deliver(): boolean {
    for (const [from, [first]] of this.#channels.waiting)
      if (first !== undefined) return this.#channels.deliver(from, first.to)
    return false
  }

  /** What was asked for a moment before is on its way. */
  async #noteGone(id: number): Promise<void> {
    await nextTask()
    this.#gone.add(id)
  }

  /** Handles a request, or answers one that was handled. Mutations are handled in their order: no client knows another one. */
  #proceed(chosen: Sent): void {
    const isNext = ({ name, response }: Sent) => response === undefined && !name.startsWith('GET')
    const sent = isNext(chosen) ? (this.#sent.find(isNext) as Sent) : chosen
    if (sent.response === undefined) {
      sent.response = sent.handle()
      this.log.push(`handle ${sent.name}: ${sent.response.status}`)
      return
    }
    this.#sent.splice(this.#sent.indexOf(sent), 1)
    this.#wasHidden = this.#isHidden
    // Of a list in pages, a refetch of the first one does not tell what a lost response did to another.
    const isLost = !this.#isInPages && !sent.name.startsWith('GET') && this.#random(10) === 0
    this.log.push(
      isLost
        ? `${sent.tab === this.#other ? 'other tab: ' : ''}lose ${sent.name}`
        : `answer ${sent.name}: ${sent.response.status}`,
    )
    this.#isStale ||= isLost || sent.response.status === 503
    this.#hasBroken ||= sent.response.status === 503
    sent.answer(isLost ? Promise.reject(new TypeError('Failed to fetch')) : sent.response)
  }

  /** Does something at random, as the user, as another user, or as the network. The same for the same seed, whatever was before. */
  async step(seed: number): Promise<void> {
    this.#random = createRandom(seed)
    // Some steps are those of the other tab.
    const tab = (this.#random(4) === 0 ? this.#other : undefined) ?? this.#page
    const { controller, tasks, users, groups, bulk, vote } = tab
    const list = isPaged(this.#style)
      ? pagedOf(tasks, this.#style)
      : this.#isNested
        ? groups.get
        : tasks.getList
    // A user, or another one, knows only what was shown.
    const ids = [...this.#server.rows.keys()].filter(
      (each) =>
        controller.get(this.#hasSummaries ? TaskSummary : this.#classOf(each), { id: each }) !== undefined,
    )
    const id = ids[this.#random(ids.length)] ?? 0
    const title = `${this.#throws && this.#random(6) === 0 ? 'none ' : ''}${id}, ${this.log.length}`
    const renamedAt = new Date(this.log.length)
    const several = ids.filter(() => this.#random(2) === 0)
    const group = groupIds[this.#random(groupIds.length)] as number
    // The list of all tasks holds those of both groups.
    const shown = this.#random(3) > 0 || this.#isNested ? group : 0
    const user = userIds[this.#random(userIds.length)] as number
    const isKnown = controller.get(User, { id: user }) !== undefined
    const run = (name: string, change: () => unknown) => {
      this.log.push(tab === this.#other ? `other tab: ${name}` : name)
      const perform = () => {
        const changed = change()
        if (changed instanceof Promise) changed.catch(() => {})
      }
      if (this.#app?.perform === undefined) perform()
      else this.#app.perform(perform)
    }
    const go = async (name: string, place: Partial<Place>) => {
      this.log.push(name)
      this.#placeBefore = this.#place
      await this.#opened.go((this.#place = { ...this.#place, ...place }))
    }
    const create = () =>
      run(`create in ${group}`, () =>
        controller.fetch(tasks.create, {
          title,
          group,
          owner: isKnown ? user : 1,
          ...(this.#hasKinds && { kind: this.#random(2) === 0 ? 'task' : 'bug' }),
        }),
      )
    const change = (changes: Partial<Row>): void => this.#change(controller, id, changes)
    /** @returns what a mutation of several tasks sends */
    const sentOf = (values: Partial<Row>): Bulk =>
      this.#hasKinds || this.#random(2) === 0
        ? several.map((each) => ({ id: each, kind: this.#server.kindOf(each), ...values }))
        : { ids: several, ...values }
    // No client can know whether a message with the value of before is older than a change that is under way.
    const isSent = (field: 'owner' | 'group') =>
      this.#style.surroundings !== 'polled' &&
      this.#sent.some(({ name }) => /^(PATCH|PUT)/.test(name) && name.includes(`"${field}"`))
    const isVoted = () => this.#sent.some(({ name }) => name.includes('/vote'))
    const steps: readonly (() => void | Promise<void>)[] = [
      () => go(`group ${shown}`, { group: shown }),
      () => go(`select ${id}`, { selected: id }),
      () => go('close', { selected: undefined }),
      () => go('list or not', { isListed: !this.#place.isListed }),
      () => run(`rename ${id}`, () => controller.fetch(tasks.partialUpdate, { id }, { title, renamedAt })),
      () => run(`rename ${several}`, () => controller.fetch(bulk.change, sentOf({ title }))),
      () => run(`move ${several} to ${group}`, () => controller.fetch(bulk.move, sentOf({ group }))),
      () => run(`move ${id} to ${group}`, () => controller.fetch(tasks.partialUpdate, { id }, { group })),
      () =>
        run(`replace ${id}`, () => {
          const known = controller.get(this.#classOf(id), { id })
          const owner = known?.owner?.id ?? 1
          const kind = this.#server.kindOf(id)
          return controller.fetch(tasks.update, { id }, { title, group: known?.group ?? 1, owner, kind })
        }),
      () =>
        run(`delete ${id}`, () =>
          controller.fetch(tasks.delete, { id }).then(() => {
            if (tab === this.#page) void this.#noteGone(id)
          }),
        ),
      create,
      create,
      create,
      () => run('next page', () => this.#loadNext()),
      () => run('next page', () => this.#loadNext()),
      () => run('expire details', () => controller.expireAll(tasks.get)),
      () => run('expire lists', () => controller.expireAll(list)),
      () => run('invalidate lists', () => controller.invalidateAll(list)),
      () =>
        run(`invalidate ${id}`, () => {
          this.#wanted.add(id)
          controller.invalidate(tasks.get, { id })
        }),
      () =>
        run(`give ${id} to ${user}`, () =>
          isKnown ? controller.fetch(tasks.partialUpdate, { id }, { owner: user }) : undefined,
        ),
      () =>
        run(`rename user ${user}`, () =>
          controller.fetch(users.partialUpdate, { id: user }, { name: `User ${this.log.length}` }),
        ),
      () =>
        run(`another renames user ${user}`, () => {
          const name = `User ${this.log.length}`
          this.#server.renameUser(user, name)
          if (!this.#isToldLate) controller.set(User, { id: user }, { id: user, name })
        }),
      () =>
        run(`another gives ${id} to ${user}`, () => {
          if (!isSent('owner')) change({ owner: user })
        }),
      () => run(`another renames ${id}`, () => change({ title })),
      () => run(`vote for ${id}`, () => controller.fetch(vote, { id })),
      () => run(`vote for ${id}`, () => controller.fetch(vote, { id })),
      () =>
        run(`another votes for ${id}`, () => {
          if (!isVoted()) change({ votes: (this.#server.rows.get(id)?.votes ?? 0) + 1 })
        }),
      () =>
        run(`another moves ${id} to ${group}`, () => {
          // Only a refetch of all pages would tell.
          if (isSent('group') || this.#isInPages) return
          controller.batch(() => {
            change({ group })
            if (!this.#isByRules && !this.#isToldLate) {
              controller.expireAll(tasks.getList)
              controller.expireAll(list)
            }
          })
        }),
      () =>
        run(`another deletes ${id}`, () => {
          this.#server.delete(id)
          if (this.#isToldLate) return
          if (tab === this.#page) void this.#noteGone(id)
          controller.set(new schema.Delete(this.#classOf(id)), { id }, {})
        }),
      () => run('a minute passes', () => this.#pass(61_000)),
      () => {
        // Left: a page that is on its way when its list is collected.
        if (!isPaged(this.#style) || this.#sent.length === 0)
          run('an hour passes', () => this.#pass(3_600_000))
      },
      () => run('the window has focus', () => controller.refetchStale()),
      () =>
        run('reset', () => {
          if (this.#random(3) > 0) return
          // What was sent is handled: the client will not hear of it.
          for (const sent of this.#sent.splice(0)) if (sent.response === undefined) sent.handle()
          controller.resetAll()
          // Nobody will hear of what the other tab sends before it hears of the reset, or in the same millisecond.
          this.#channels.deliverAll()
          this.#served.splice(0)
          if (this.#other !== undefined) this.clock.advance(1)
        }),
      async () => {
        if (!this.#style.surroundings.includes('kept')) return
        this.log.push('reload')
        await this.#reload()
      },
      async () => {
        if (this.#style.surroundings !== 'served') return
        this.log.push(`render ${shown}`)
        this.clock.advance(1)
        await this.#render(shown)
      },
      () => {
        const served = this.#served.shift()
        if (served !== undefined)
          run('a rendered page arrives', () => hydrate(controller, deserialize(served)))
      },
      () => {
        if (this.#random(4) === 0 && this.#server.sockets.hangUp()) this.log.push('connections are lost')
      },
      () =>
        run('fetch list', () => {
          if (tab !== this.#other && !this.#isNested) return
          return isPaged(this.#style)
            ? controller.fetch(pagedOf(tasks, this.#style), listArgs(group))
            : controller.fetch(tasks.getList, listArgs(group))
        }),
    ]
    while (this.#random(3) === 0 && this.#deliver()) this.log.push('a message arrives')
    while (this.#random(3) > 0 && this.#server.sockets.deliver()) this.log.push('the server tells something')
    const sent = this.#sent[this.#random(this.#sent.length)]
    if (this.#random(2) === 0 && sent !== undefined) this.#proceed(sent)
    else if (id === 0) create()
    else await steps[this.#random(steps.length)]?.()
    if (this.#random(4) === 0) {
      // A timer is a task of its own: promises are settled before.
      await nextTask()
      this.clock.advance(1)
    }
    if (this.#random(2) === 0) await this.#opened.settle()
  }

  /** Another user changes a row, of which a message tells. */
  #change(controller: Controller, id: number, changes: Partial<Row>): void {
    const kind = this.#server.kindOf(id)
    const row = {
      title: '',
      group: 1,
      owner: 1,
      votes: 0,
      renamedAt: never,
      ...this.#server.rows.get(id),
      ...changes,
      id,
      kind,
    }
    this.#server.put(row)
    const body = this.#server.bodyOf(row)
    this.#server.tell('updated', body)
    if (!this.#isToldLate)
      controller.set(
        this.#classOf(id),
        { id },
        {
          ...row,
          owner: User.fromJS(body.owner),
          renamedAt: new Date(row.renamedAt),
        },
      )
  }

  /** Another user renames what the Query throws at. @returns `false` if there is nothing */
  #mend(): boolean {
    const broken = [...this.#server.rows.values()].filter(hasNoPlace)
    for (const { id } of broken) {
      this.log.push(`another mends ${id}`)
      this.#change(this.#page.controller, id, { title: `${id}, mended` })
    }
    return broken.length > 0
  }

  #pass(ms: number): void {
    this.clock.advance(ms)
    // An answer of the outbox is kept for a minute: a tab that hears of it later knows that it does not know what the server did.
    if (this.#hasOutbox && this.#other !== undefined) this.#isStale = true
  }

  /** Handles and answers all, until nothing is on its way. */
  async finish(): Promise<void> {
    this.#isEnding = true
    const app = this.#opened
    await app.go((this.#place = { ...this.#place, isListed: true }))
    for (let turn = 0; turn < 200; turn++) {
      await app.settle()
      // A read that another tab made waits for its message, for a moment.
      this.clock.advance(this.#other === undefined && !this.#isToldLate ? 1 : 25)
      await app.settle()
      if (this.#deliver()) {
        this.#channels.deliverAll()
        this.log.push('all messages arrive')
        continue
      }
      if (this.#server.sockets.deliver()) {
        while (this.#server.sockets.deliver());
        continue
      }
      if (this.#sent.length === 0) {
        if (this.#loadNext()) continue
        const waiting = this.#hasOutbox ? outboxOf(this.#page.controller).mutations : []
        if (waiting.some(({ status }) => status !== 'failed')) {
          this.clock.advance(2000)
          continue
        }
        if (this.#isStale) {
          this.#isStale = false
          // An error that was waited for is shown for five seconds, however long the list waits.
          this.clock.advance(6_000)
          this.#page.controller.refetchStale()
          continue
        }
        if (this.#hasBroken) {
          this.#hasBroken = false
          const { selected } = this.#place
          await app.go({ ...this.#place, isListed: false, selected: undefined })
          await app.go((this.#place = { ...this.#place, selected }))
          continue
        }
        if (this.#mend()) continue
        if (this.#style.listing === 'numbered pages' && !this.#isRefreshed) {
          // A page that is loaded after a row was deleted begins one row later.
          this.#isRefreshed = true
          this.#page.controller.expireAll(pagedOf(this.#page.tasks, this.#style))
          this.#page.controller.refetchStale()
          continue
        }
        if (this.#isToldLate && this.#pollsLeft > 0) {
          if (this.#pollsLeft-- === 2) {
            this.log.push('another creates, renames, moves, and deletes')
            this.#server.changeAll(this.#place.group)
          }
          this.clock.advance(pollMs)
          continue
        }
        if (shownIn(app.screen, 's').length === 0) return
        // A task that was deleted while it was fetched again: the user opens the list again. What an error has taken off the screen
        // is told nothing, until it is Stale.
        if (this.#isToldLate) this.clock.advance(61_000)
        await app.go({ ...this.#place, isListed: false })
        await app.go(this.#place)
        continue
      }
      for (const sent of [...this.#sent, ...this.#sent]) if (this.#sent.includes(sent)) this.#proceed(sent)
    }
    throw new Error(`Requests without end: ${this.#sent.map(({ name }) => name).join(', ')}`)
  }

  /** @returns `false` if all pages are loaded */
  #loadNext(): boolean {
    const [button] = shownIn(this.screen, 'button')
    ;(button as HTMLElement | undefined)?.click()
    return button !== undefined
  }

  /** @returns what is wrong on the screen, and what was superfluous */
  compare(): string[] {
    const { screen } = this
    const { group, selected } = this.#place
    const items = shownIn(screen, 'li').map((item) => [
      item.querySelector('span')?.textContent ?? '',
      item.querySelector('i')?.textContent ?? '',
    ])
    const labelOfRow = ({ title, owner, votes, renamedAt }: Row) =>
      toLabel(title, this.#server.names.get(owner), votes, new Date(renamedAt))
    const listed = (row: Row) =>
      this.#hasSummaries ? toLabel(row.title, undefined, row.votes, new Date(row.renamedAt)) : labelOfRow(row)
    const inOrder = [...this.#server.rowsOf(group)]
    if (this.#style.listing === 'ordered pages') inOrder.sort((a, b) => a.id - b.id)
    const rows = inOrder.map((row) => [listed(row), labelOfRow(row)])
    if (!this.#isByRules && this.#style.listing !== 'Query') for (const each of [items, rows]) each.sort()
    const detail = shownIn(screen, 'b')[0]?.textContent
    const row = selected === undefined ? undefined : this.#server.rows.get(selected)
    const label = row && labelOfRow(row)
    return [
      ...(String(items) === String(rows) ? [] : [`list: ${items.join(' | ')}, not ${rows.join(' | ')}`]),
      ...(detail === label ? [] : [`detail: ${detail}, not ${label}`]),
      ...this.#superfluous.map((name) => `superfluous: ${name}`),
    ]
  }
}

/** The elements that no boundary hides. */
function shownIn(screen: HTMLElement, name: string): Element[] {
  const isHidden = (element: HTMLElement | null): boolean =>
    element !== null && (element.style.display === 'none' || isHidden(element.parentElement))
  return [...screen.querySelectorAll<HTMLElement>(name)].filter((element) => !isHidden(element))
}
