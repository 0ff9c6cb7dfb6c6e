import { ManualNetwork } from '@selfsame/conformance'
import { BrowserLocks } from '@selfsame/conformance/browser-tabs'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { outbox, outboxOf } from '../outbox.js'
import type { Locks, Outbox } from '../outbox.js'
import { persist, persisted } from '../persist.js'
import { createResource } from '../rest.js'
import { createRandom } from '../simulation/testing-random.js'
import type { Random } from '../simulation/testing-random.js'
import { memoryStorage } from '../storage.js'
import type { RowStorage } from '../storage.js'
import { syncTabs } from '../tabs.js'
import type { TabChannel } from '../tabs.js'
import { TestClock } from '../testing.js'
import { Process, TestChannels, settle } from './testing-stage.js'

class Note extends Entity {
  id = 0
  title = ''
  static override key = 'Note'
}

type User = 'ann' | 'bob'
const users: readonly User[] = ['ann', 'bob']

/** A change that a user made. */
interface Made {
  readonly title: string
  readonly user: User
  /** `true` if it was written down. */
  isKept: boolean
  /** `true` if its user signed out where users have no scopes. */
  isDropped: boolean
}

/** What one world is like. */
interface Circumstances {
  /** `false`: nobody tells the outbox and `persist` who the user is. */
  readonly hasScopes: boolean
  /** `true`: requests carry what the browser has, as cookies are; otherwise what the tab has. */
  readonly hasCookies: boolean
  readonly hasChannel: boolean
  readonly hasLocks: boolean
  readonly hasMarks: boolean
}

/** The server of both users. */
class Server {
  readonly notes = new Map<User, Map<number, string>>(
    users.map((user, index) => [user, new Map([1, 2, 3].map((id) => [10 * index + id, `${user} ${id}`]))]),
  )
  readonly wrong: string[] = []
  readonly applied: string[] = []
  readonly #answers = new Map<string, Response>()
  #ids = 100
  fault: () => 'lost' | 'down' | 503 | undefined = () => undefined

  send(user: User | undefined, url: string, init: RequestInit): Response {
    const fault = this.fault()
    if (fault === 'down') throw new TypeError('Failed to fetch')
    if (fault === 503) return Response.json({}, { status: 503 })
    const { title } = (typeof init.body === 'string' ? JSON.parse(init.body) : {}) as { title?: string }
    if (title !== undefined && user !== undefined && !title.startsWith(user))
      this.wrong.push(`${title} was sent by ${user}`)
    if (user === undefined) return Response.json({}, { status: 401 })
    const key = new Headers(init.headers).get('idempotency-key')
    const response = (key === null ? undefined : this.#answers.get(key)) ?? this.#carryOut(user, url, title)
    if (key !== null && response.ok) this.#answers.set(key, response)
    if (fault === 'lost') throw new TypeError('Failed to fetch')
    return response.clone()
  }

  #carryOut(user: User, url: string, title: string | undefined): Response {
    const notes = this.notes.get(user) ?? new Map<number, string>()
    if (title === undefined) return Response.json([...notes].map(([id, text]) => ({ id, title: text })))
    this.applied.push(title)
    const named = url.endsWith('/note') ? ++this.#ids : Number(url.split('/').at(-1))
    if (!url.endsWith('/note') && !notes.has(named)) return Response.json({}, { status: 404 })
    notes.set(named, title)
    return Response.json({ id: named, title })
  }
}

/**
 * Two users of one browser sign in and out in up to three tabs that `outbox`, `persist` and `syncTabs` serve. Tabs are closed and killed, also
 * right after a sign-out, the network comes and goes, answers are lost. At each rest a tab shows only what is of its user, and the
 * server gets nothing of one from the other. In the end it has all that was written down, once, and the storage has nothing of anybody
 * who signed out.
 *
 * @throws {Error} naming the seed, and what is wrong
 */
export async function runUsers(seed: number, length: number): Promise<number> {
  const random = createRandom(seed)
  const { random: realRandom } = Math
  const { now: realNow } = Date
  const { warn } = console
  const clock = new TestClock()
  Math.random = createRandom(seed + 1).fraction
  Date.now = () => clock.now()
  console.warn = () => {}
  const is = () => random.below(4) > 0
  const world = new World(random, clock, {
    hasScopes: is(),
    hasCookies: !is(),
    hasChannel: is(),
    hasLocks: is(),
    hasMarks: is(),
  })
  try {
    await world.run(length)
  } finally {
    world.end()
    Math.random = realRandom
    Date.now = realNow
    console.warn = warn
  }
  if (world.wrong.length > 0)
    throw new Error(
      `Seed ${seed}, ${length} steps, ${JSON.stringify(world.circumstances)}:\n${world.wrong.join('\n')}\n${world.log.join('\n')}`,
    )
  return length
}

interface Tab {
  readonly number: number
  readonly controller: Controller
  readonly box: Outbox
  readonly notes: ReturnType<typeof notesOf>
  readonly process: Process
  /** What the tab knows. */
  readonly memory: { user: User | undefined }
}

function notesOf() {
  return createResource({ urlPrefix: 'https://api.test', path: '/note/:id', schema: Note, optimistic })
}

class World {
  readonly log: string[] = []
  readonly server = new Server()
  readonly #network = new ManualNetwork()
  readonly #locks = new BrowserLocks()
  readonly #channels = new TestChannels()
  readonly #storage = memoryStorage()
  readonly #made: Made[] = []
  /** Who is signed in in the browser: its cookie, which tabs read when they start and when they are reset. */
  #session: User | undefined
  #tabs: Tab[] = []
  #count = 0

  readonly random: Random
  readonly clock: TestClock
  readonly circumstances: Circumstances

  constructor(random: Random, clock: TestClock, circumstances: Circumstances) {
    this.random = random
    this.clock = clock
    this.circumstances = circumstances
    const marks = new Map<string, string>()
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      value: {
        getItem: (name: string) => marks.get(name) ?? null,
        setItem: (name: string, text: string) => {
          if (!circumstances.hasMarks) throw new Error('The quota has been exceeded.')
          marks.set(name, text)
        },
      },
    })
  }

  get wrong(): string[] {
    return this.server.wrong
  }

  end(): void {
    for (const tab of this.#tabs) this.#close(tab, false)
    Reflect.deleteProperty(globalThis, 'localStorage')
  }

  open(): Tab {
    const { circumstances, clock, server } = this
    const number = ++this.#count
    const process = new Process()
    const storage: RowStorage = process.storage(this.#storage, () => false)
    const memory: Tab['memory'] = { user: this.#session }
    const readUser = () => (circumstances.hasCookies ? this.#session : memory.user)
    const scope = circumstances.hasScopes ? () => memory.user : undefined
    const channel = circumstances.hasChannel
      ? (name: string) => this.#channels.channel(name) as TabChannel
      : null
    const locks = circumstances.hasLocks ? this.#locks.of(number) : null
    const notes = notesOf()
    const fetch = async (url: string, init: RequestInit = {}) => {
      await settle(1)
      if (process.isKilled) return new Promise<never>(() => {})
      if (!this.#network.isOnline()) throw new TypeError('Failed to fetch')
      return server.send(readUser(), url, init)
    }
    const controller = new Controller({
      clock,
      fetch: fetch as typeof globalThis.fetch,
      middleware: [
        persist({ storage, scope }),
        syncTabs({
          endpoints: [notes],
          channel,
          locks,
          scope,
          onReset: () => {
            memory.user = this.#session
            this.log.push(`${number}: is reset, and is of ${String(memory.user)}`)
          },
        }),
        outbox({
          endpoints: [notes],
          delayMs: () => 1000,
          storage,
          scope,
          network: this.#network,
          channel: channel as never,
          locks: locks === null ? null : process.locks(locks as Locks),
        }),
      ],
    })
    const opened = { number, controller, box: outboxOf(controller), notes, process, memory }
    this.#tabs.push(opened)
    this.log.push(`${number}: opened by ${String(memory.user)}`)
    return opened
  }

  #close(opened: Tab, isKilled: boolean): void {
    this.#tabs = this.#tabs.filter((each) => each !== opened)
    this.#note(opened)
    this.log.push(`${opened.number}: ${isKilled ? 'killed' : 'closed'}`)
    if (isKilled) opened.process.kill()
    opened.controller.dispose()
    this.#locks.close(opened.number)
  }

  /** Notes what was written down by now. */
  #note({ box }: Tab): void {
    for (const { args, isWritten } of box.mutations) {
      const one = this.#made.find(({ title }) => title === (args.at(-1) as { title: string }).title)
      if (one !== undefined && isWritten) one.isKept = true
    }
  }

  /** @param user - who clicks */
  #change({ controller, notes, number, memory }: Tab, user = memory.user): void {
    if (user === undefined) return
    const title = `${user} t${this.#made.length}`
    const shown = controller.read(notes.getList).data ?? []
    this.#made.push({ title, user, isKept: false, isDropped: false })
    if (shown.length === 0 || this.random.below(4) === 0) {
      this.log.push(`${number}: create ${title}`)
      controller.fetch(notes.create, { title }).catch(() => {})
    } else {
      const { id } = this.random.pick([...shown])
      this.log.push(`${number}: ${title} of ${id}`)
      controller.fetch(notes.partialUpdate, { id }, { title }).catch(() => {})
    }
  }

  /** @param isBusy - the user clicks until the page is left */
  async #signOut(opened: Tab, isBusy: boolean): Promise<void> {
    const { circumstances, clock, random } = this
    const { user } = opened.memory
    if (user === undefined) return
    this.log.push(`${opened.number}: ${user} signs out`)
    for (const each of this.#tabs) this.#note(each)
    if (!circumstances.hasScopes) for (const one of this.#made) if (one.user === user) one.isDropped = true
    this.#session = undefined
    opened.memory.user = undefined
    clock.advance(1)
    // Without scopes a click on a page that is about to be left may be one of the next user.
    const clicks = isBusy && circumstances.hasScopes ? random.below(8) : 0
    // Nobody clicks twice in one task.
    if (clicks > 0) await settle(1)
    if ((clicks & 1) > 0) this.#change(opened, user)
    if ((clicks & 2) > 0) await settle()
    opened.controller.resetAll()
    clock.advance(1)
    if ((clicks & 4) > 0) this.#change(opened, user)
    if (!circumstances.hasMarks) {
      await persisted(opened.controller).ready
      await opened.box.written()
    }
    const rounds = random.below(8)
    if (rounds < 4) await settle(rounds)
    if (rounds < 4) this.#close(opened, random.below(2) === 0)
    // Nobody signs in before the messages of the sign-out have come.
    await settle()
  }

  async #signIn(opened: Tab, user: User): Promise<void> {
    if (this.#session !== undefined) return
    this.log.push(`${opened.number}: ${user} signs in`)
    this.#session = user
    opened.memory.user = user
    this.clock.advance(1)
    opened.controller.resetAll()
    this.clock.advance(1)
    await settle()
  }

  #check(): void {
    for (const { controller, notes, number, memory, box } of this.#tabs) {
      const titles = [
        ...(controller.read(notes.getList).data ?? []).map(({ title }) => title),
        ...box.mutations.map(({ args }) => (args.at(-1) as { title: string }).title),
      ]
      for (const title of titles)
        if (memory.user === undefined || !title.startsWith(memory.user))
          this.wrong.push(`tab ${number} of ${String(memory.user)} shows ${title}`)
    }
    if (this.wrong.length > 0) this.log.push('wrong')
  }

  async run(length: number): Promise<void> {
    const { clock, random, server } = this
    const faults = ['lost', 'down', 503, undefined] as const
    let fault: (typeof faults)[number]
    server.fault = () => (random.below(3) === 0 ? fault : undefined)
    this.open()
    for (let step = 0; step < length && this.wrong.length === 0; step++) {
      clock.advance(1)
      const choice = random.below(16)
      if (this.#tabs.length === 0 || (choice < 2 && this.#tabs.length < 3)) this.open()
      const opened = random.pick(this.#tabs)
      if (choice >= 2 && choice < 6) this.#change(opened)
      else if (choice < 7) {
        this.#close(opened, random.below(2) === 0)
        // Without marks nothing tells that what a tab writes at its end is of an ended session.
        if (!this.circumstances.hasMarks) await settle()
      } else if (choice < 8) this.#network.set(random.below(2) === 0)
      else if (choice < 9) fault = random.pick(faults)
      else if (choice < 10) await this.#signOut(opened, true)
      else if (choice < 12) await this.#signIn(opened, random.pick(users))
      else if (choice < 14) {
        if (opened.memory.user !== undefined) opened.controller.fetch(opened.notes.getList).catch(() => {})
      } else if (choice < 15) clock.advance(random.below(2500))
      else {
        await settle(random.below(12))
        this.#check()
      }
      for (const each of this.#tabs) this.#note(each)
    }
    fault = undefined
    await settle()
    this.#check()
    if (this.wrong.length === 0) await this.#finish()
  }

  /** Each user comes back, and all that was written down is sent. */
  async #finish(): Promise<void> {
    this.#network.set(true)
    for (const user of users) {
      for (const tab of [...this.#tabs]) this.#close(tab, false)
      await settle()
      if (this.#session !== undefined) {
        const last = this.open()
        await settle()
        await this.#signOut(last, false)
      }
      const opened = this.#tabs[0] ?? this.open()
      await settle()
      await this.#signIn(opened, user)
      for (let round = 0; round < 12; round++) {
        await settle(6)
        this.clock.advance(5000)
      }
      await settle()
      this.#check()
      for (const { args, status, reason } of opened.box.mutations)
        this.wrong.push(`${JSON.stringify(args)} waits: ${status} ${String(reason)}`)
    }
    for (const { title, isDropped, isKept } of this.#made) {
      const times = this.server.applied.filter((each) => each === title).length
      if (times > 1 || (times === 0 && isKept && !isDropped))
        this.wrong.push(`${title} was applied ${times} times`)
    }
    // The one who left first has left nothing, and the other one nothing that waits.
    const [first = 'ann', second = 'bob'] = users
    for (const [key, row] of await this.#storage.list('')) {
      const text = JSON.stringify(row)
      if (
        text.includes(`${first} `) ||
        (key.startsWith('outbox/') && text.includes(`${second} `) && !text.includes('"done":{'))
      )
        this.wrong.push(`${key} is left: ${text}`)
    }
  }
}
