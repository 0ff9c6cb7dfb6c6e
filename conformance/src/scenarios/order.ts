import { Endpoint, Entity, schema } from '@selfsame/core'
import type { StreamSink } from '@selfsame/core'
import { connect } from '@selfsame/core/live'
import { optimistic } from '@selfsame/core/optimistic'
import { createResource } from '@selfsame/core/rest'
import { expect } from 'vitest'
import type { ReadHook, Reader } from '../contract.js'
import { articleFields, userFields } from '../fixtures.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'

class Story extends Entity {
  id = 0
  title = ''
  n = 0
  slug = ''
  static override key = 'Story'
}

type Part = Partial<Pick<Story, 'title' | 'n' | 'slug'>>

interface Sent {
  readonly isRead: boolean
  readonly resolve: (response: unknown) => void
  readonly reject: (error: Error) => void
}

const start = { id: 5, title: 'a', n: 0, slug: 'a' }
const args = { id: 5 }

/** A status that the server sent. */
class Refusal extends Error {
  readonly status = 409
}

/** One story on screen. Its requests are numbered in the order in which they are sent, from 1. */
class Race {
  readonly stage: Stage
  /** What was on screen, one after the other: title and number. */
  readonly seen: string[] = []
  readonly #sent: Sent[] = []
  readonly #open = new Set<number>()
  #reader: Reader | undefined
  #sink: StreamSink | undefined
  #disconnect = () => {}

  readonly get = new Endpoint((_params: typeof args) => this.#send(true), {
    name: 'getStory',
    schema: Story,
    stream: (sink: StreamSink) => {
      this.#sink = sink
      return () => {}
    },
  })
  readonly patch = new Endpoint((_params: typeof args, _body: Part) => this.#send(false), {
    name: 'patchStory',
    schema: Story,
    sideEffect: true,
    getOptimisticResponse: optimistic((_snapshot, params, body) => ({ ...params, ...body })),
  })
  readonly delete = new Endpoint((_params: typeof args) => this.#send(false), {
    name: 'deleteStory',
    schema: new schema.Delete(Story),
    sideEffect: true,
  })

  constructor(stage: Stage) {
    this.stage = stage
  }

  async begin(hook: ReadHook): Promise<void> {
    const { controller, mount } = this.stage
    controller.setResponse(this.get, args, start)
    this.#reader = await mount(hook, this.get, args)
    this.#disconnect = connect(controller, this.get, args)
    await this.#look()
  }

  async send(kind: 'GET' | 'PATCH' | 'DELETE', body: Part = {}): Promise<void> {
    const { controller } = this.stage
    const sent =
      kind === 'GET'
        ? controller.fetch(this.get, args)
        : kind === 'PATCH'
          ? controller.fetch(this.patch, args, body)
          : controller.fetch(this.delete, args)
    sent.catch(() => {})
    await this.#look()
  }

  async set(fields: Part): Promise<void> {
    this.stage.controller.set(Story, args, fields)
    await this.#look()
  }

  async push(fields: Part): Promise<void> {
    this.#sink?.set(Story, args, fields)
    await this.#look()
  }

  /** @param fields - an error refuses the request */
  async answer(number: number, fields: Part | Error): Promise<void> {
    const sent = this.#sent[number - 1]
    this.#open.delete(number)
    if (fields instanceof Error) sent?.reject(fields)
    else sent?.resolve({ ...args, ...fields })
    await this.#look()
  }

  get requests(): number {
    return this.#sent.length
  }

  get state(): { readonly record: Part | undefined; readonly status: string } {
    const { controller } = this.stage
    const record = controller.get(Story, args)
    const { status } = controller.read(this.get, args)
    return { record: record && { title: record.title, n: record.n, slug: record.slug }, status }
  }

  async remount(hook: ReadHook): Promise<void> {
    await this.#reader?.unmount()
    this.#reader = await this.stage.mount(hook, this.get, args)
    await this.#look()
  }

  /** Answers what is still open, as the server would. */
  async end(): Promise<void> {
    this.#disconnect()
    for (const number of [...this.#open]) await this.answer(number, this.state.record ?? {})
  }

  #send(isRead: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#sent.push({ isRead, resolve, reject })
      this.#open.add(this.#sent.length)
    })
  }

  async #look(): Promise<void> {
    await this.stage.settle()
    const screen = this.#reader?.current()
    const story = screen?.state === 'ready' ? (screen.data as Story | undefined) : undefined
    const now = story === undefined ? '-' : `${story.title}${story.n}`
    if (this.seen.at(-1) !== now) this.seen.push(now)
  }
}

interface Outcome {
  /** The record in the end; `undefined` if it is deleted. */
  readonly record: Part | undefined
  readonly status?: 'Valid' | 'Stale'
  /** What was on screen, after `a0`. */
  readonly seen: string
  /** How many requests were sent, those of the schedule included. */
  readonly requests: number
}

/** A schedule of ORDER: what happens in which order, and what comes of it. */
function schedule(
  name: string,
  title: string,
  run: (race: Race) => Promise<void>,
  { record, status = 'Valid', seen, requests }: Outcome,
  hook: ReadHook = 'useSuspense',
): void {
  scenario(`G4/${name}`, title, async (stage) => {
    const race = new Race(stage)
    await race.begin(hook)
    await run(race)
    expect(race.seen.join(' ')).toBe(`a0 ${seen}`)
    if (record === undefined) expect(race.state.record).toBe(undefined)
    else expect(race.state).toEqual({ record, status })
    expect(race.requests).toBe(requests)
    const before = race.seen.length
    await race.end()
    // The answer of the one refetch confirms what is on screen, and asks for no other.
    expect(race.seen.length).toBe(before)
    expect(race.requests).toBe(requests)
    if (requests > 0 && record !== undefined && hook === 'useSuspense' && name !== '12a')
      expect(race.state.status).toBe('Valid')
  })
}

schedule(
  '1',
  'what a PATCH saved stays when another field was set meanwhile',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.set({ n: 5 })
    await race.answer(1, { title: 'b', n: 5 })
  },
  { record: { title: 'b', n: 5, slug: 'a' }, seen: 'b0 b5', requests: 1 },
)

schedule(
  '2',
  'what a PATCH saved stays when a later PATCH of another field is answered first',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.send('PATCH', { n: 5 })
    await race.answer(2, { title: 'a', n: 5 })
    await race.answer(1, { title: 'b', n: 5 })
  },
  { record: { title: 'b', n: 5, slug: 'a' }, seen: 'b0 b5', requests: 2 },
)

schedule(
  '3',
  'what a PATCH saved stays when the whole record with the old value is set meanwhile',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.set({ title: 'a', n: 5 })
    await race.answer(1, { title: 'b', n: 5 })
  },
  { record: { title: 'b', n: 5, slug: 'a' }, seen: 'b0 b5', requests: 1 },
)

schedule(
  '4',
  'of two PATCHes of one field the later stays when it is answered first, and one read settles which the server handled last',
  async (race) => {
    await race.send('PATCH', { n: 2 })
    await race.send('PATCH', { n: 3 })
    await race.answer(2, { title: 'a', n: 3 })
    await race.answer(1, { title: 'a', n: 2 })
  },
  { record: { title: 'a', n: 3, slug: 'a' }, status: 'Stale', seen: 'a2 a3', requests: 3 },
)

schedule(
  '5',
  'two PATCHes of one field that are answered in order leave the later one, and ask for nothing',
  async (race) => {
    await race.send('PATCH', { n: 2 })
    await race.send('PATCH', { n: 3 })
    await race.answer(1, { title: 'a', n: 2 })
    await race.answer(2, { title: 'a', n: 3 })
  },
  { record: { title: 'a', n: 3, slug: 'a' }, seen: 'a2 a3', requests: 2 },
)

schedule(
  '6',
  'an old GET brings what is new in other fields than those that a PATCH saved meanwhile',
  async (race) => {
    await race.send('GET')
    await race.send('PATCH', { title: 'b' })
    await race.answer(2, { title: 'b', n: 0 })
    await race.answer(1, { title: 'a', n: 7 })
  },
  { record: { title: 'b', n: 7, slug: 'a' }, seen: 'b0 b7', requests: 2 },
)

schedule(
  '7',
  'an old GET with a third value of what a PATCH saved meanwhile makes the record Stale, once',
  async (race) => {
    await race.send('GET')
    await race.send('PATCH', { title: 'b' })
    await race.answer(2, { title: 'b', n: 0 })
    await race.answer(1, { title: 'c', n: 0 })
  },
  { record: { title: 'b', n: 0, slug: 'a' }, status: 'Stale', seen: 'b0', requests: 3 },
)

schedule(
  '8',
  'a slow PATCH does not take back what a quick GET brought',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.send('GET')
    await race.answer(2, { title: 'a', n: 3 })
    await race.answer(1, { title: 'b', n: 0 })
  },
  { record: { title: 'b', n: 3, slug: 'a' }, seen: 'b0 b3', requests: 2 },
)

schedule(
  '9',
  'a later PATCH of another field does not hide what the server derived',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.send('PATCH', { n: 5 })
    await race.answer(2, { title: 'a', n: 5, slug: 'a' })
    await race.answer(1, { title: 'b', n: 5, slug: 'b' })
  },
  { record: { title: 'b', n: 5, slug: 'b' }, seen: 'b0 b5', requests: 2 },
)

schedule(
  '10a',
  'a PATCH that succeeds stays over a live message of its field, and one read settles which the server handled last',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.push({ title: 'x' })
    await race.answer(1, { title: 'b', n: 0 })
  },
  { record: { title: 'b', n: 0, slug: 'a' }, status: 'Stale', seen: 'b0', requests: 2 },
)

schedule(
  '10a/a read',
  'a PATCH that succeeds stays over a GET with a third value of its field, and one read settles which is newer',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.send('GET')
    await race.answer(2, { title: 'x', n: 0 })
    await race.answer(1, { title: 'b', n: 0 })
  },
  { record: { title: 'b', n: 0, slug: 'a' }, status: 'Stale', seen: 'b0', requests: 3 },
)

schedule(
  '10a/before',
  'a PATCH that succeeds asks for nothing after a message with the value from before',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.push({ title: 'x' })
    await race.push({ title: 'a' })
    await race.answer(1, { title: 'b', n: 0 })
  },
  { record: { title: 'b', n: 0, slug: 'a' }, seen: 'b0', requests: 1 },
)

schedule(
  '10a/echo',
  'PATCHes of one field ask for nothing after the messages that tell of them',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.send('PATCH', { title: 'c' })
    await race.push({ title: 'b' })
    await race.push({ title: 'c' })
    await race.answer(1, { title: 'b', n: 0 })
    await race.answer(2, { title: 'c', n: 0 })
  },
  { record: { title: 'c', n: 0, slug: 'a' }, seen: 'b0 c0', requests: 2 },
)

schedule(
  '10a/other field',
  'a PATCH that succeeds asks for nothing after a message of another field',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.push({ n: 7 })
    await race.answer(1, { title: 'b', n: 7 })
  },
  { record: { title: 'b', n: 7, slug: 'a' }, seen: 'b0 b7', requests: 1 },
)

schedule(
  '10b',
  'a live message of its field shows when the PATCH fails',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.push({ title: 'x' })
    await race.answer(1, new Refusal('refused'))
  },
  { record: { title: 'x', n: 0, slug: 'a' }, seen: 'b0 x0', requests: 1 },
)

schedule(
  '10c',
  'what was set meanwhile stays over a PATCH of the field, and one read settles it',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.set({ title: 'x' })
    await race.answer(1, { title: 'b', n: 0 })
  },
  { record: { title: 'x', n: 0, slug: 'a' }, status: 'Stale', seen: 'b0 x0', requests: 2 },
)

schedule(
  '11',
  'a PATCH that started after a DELETE, and is answered after it, does not bring the record back',
  async (race) => {
    await race.send('DELETE')
    await race.send('PATCH', { title: 'b' })
    await race.answer(1, {})
    await race.answer(2, { title: 'b', n: 0 })
  },
  { record: undefined, seen: 'b0 -', requests: 2 },
  'useCache',
)

schedule(
  '12a',
  'a PATCH whose answer is lost leaves the record Stale, and asks for nothing at once',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.answer(1, new Error('lost'))
  },
  { record: { title: 'a', n: 0, slug: 'a' }, status: 'Stale', seen: 'b0 a0', requests: 1 },
)

schedule(
  '12b',
  'a PATCH that the server refuses leaves the record Valid',
  async (race) => {
    await race.send('PATCH', { title: 'b' })
    await race.answer(1, new Refusal('refused'))
  },
  { record: { title: 'a', n: 0, slug: 'a' }, seen: 'b0 a0', requests: 1 },
)

schedule(
  '13',
  'an old GET does not bring back what live messages brought and took back meanwhile',
  async (race) => {
    await race.send('GET')
    await race.push({ n: 7 })
    await race.push({ n: 0 })
    await race.answer(1, { title: 'a', n: 7 })
  },
  { record: { title: 'a', n: 0, slug: 'a' }, seen: 'a7 a0', requests: 1 },
)

scenario(
  'G4/12a/checks',
  'what a lost answer made Stale is fetched by the next check, once',
  async (stage) => {
    const race = new Race(stage)
    await race.begin('useSuspense')
    await race.send('PATCH', { title: 'b' })
    await race.answer(1, new Error('lost'))
    expect(race.requests).toBe(1)
    await race.set({ n: 5 })
    expect(race.requests).toBe(1)
    await race.remount('useSuspense')
    expect(race.requests).toBe(2)
    await race.answer(2, { title: 'b', n: 5, slug: 'b' })
    expect(race.state).toEqual({ record: { title: 'b', n: 5, slug: 'b' }, status: 'Valid' })
    stage.controller.refetchStale()
    await race.end()
    expect(race.requests).toBe(2)
  },
)

class Task extends Entity {
  id = 0
  state = ''
  static override key = 'Task'
}

/** What is seen of a record that a create made, before the create is answered. */
const seenEarly: Readonly<Record<string, (stage: Stage, stories: Stories, told: Part) => Promise<void>>> = {
  'a message': async (_, { sink }, told) => {
    sink()?.set(Story, { id: 6 }, { id: 6, title: 'New', n: 1, slug: 'new' })
    sink()?.set(Story, { id: 6 }, told)
  },
  'one message': async (_, { sink }, told) =>
    sink()?.set(Story, { id: 6 }, { id: 6, title: 'New', n: 1, slug: 'new', ...told }),
  'a read': async ({ controller, server }, { get }, told) => {
    server.route('GET /story/6', { id: 6, title: 'New', n: 1, slug: 'new', ...told })
    await controller.fetch(get, { id: 6 })
  },
}

type Stories = ReturnType<typeof storiesOf>

function storiesOf({ server }: Stage) {
  let sink: StreamSink | undefined
  const { get, getList, create } = createResource({
    path: '/story/:id',
    schema: Story,
    searchParams: {} as { n?: number },
    fetchResponse: server.fetch,
  })
  const stream = (opened: StreamSink) => {
    sink = opened
    return () => {}
  }
  return { get, getList: getList.extend({ stream }), create, sink: () => sink }
}

/** The lists of two numbers on screen, and a server that holds the answer of a create. */
async function mountLists({ controller, mount, server, settle }: Stage, { getList }: Stories) {
  server.route('GET /story?n=1', [{ id: 5, title: 'a', n: 1, slug: 'a' }])
  server.route('GET /story?n=2', [])
  server.route('POST /story', { id: 6, title: 'New', n: 1, slug: 'new' })
  server.hold('POST /story')
  const disconnect = connect(controller, getList, { n: 1 })
  const ones = await mount('useSuspense', getList, { n: 1 })
  const twos = await mount('useSuspense', getList, { n: 2 })
  await settle()
  server.requests.length = 0
  return { ones, twos, disconnect }
}

for (const [name, see] of Object.entries(seenEarly))
  scenario(
    `G4/create/${name}`,
    'what is seen of a record before its create is answered may be newer than the response, and one read settles it',
    async (stage) => {
      const { controller, server, settle } = stage
      const stories = storiesOf(stage)
      const { create } = stories
      const { ones, twos, disconnect } = await mountLists(stage, stories)
      const created = controller.fetch(create, { title: 'New', n: 1 })
      await settle()
      // Another user renames it, and what the server derives of the title follows.
      await see(stage, stories, { title: 'Renamed', slug: 'renamed' })
      await settle()
      const renamed = { id: 6, title: 'Renamed', n: 1, slug: 'renamed' }
      server.route('GET /story?n=1', [{ id: 5, title: 'a', n: 1, slug: 'a' }, renamed])
      server.release('POST /story')
      expect(await created).toMatchObject({ id: 6, n: 1 })
      await settle()
      expect((shown(ones) as readonly Story[]).at(-1)).toEqual(renamed)
      expect(titlesOf(twos)).toEqual([])
      expect(server.requests.filter((line) => line.startsWith('GET /story?'))).toEqual(['GET /story?n=1'])
      disconnect()
    },
  )

scenario(
  'G4/nested',
  'a record that a read brought while a mutation was under way may be newer than what the response has of it, and one read settles it',
  async ({ api, controller, mount, server, settle }) => {
    server.route('PATCH /article/1', articleFields(1, { author: userFields(1, { name: 'Old' }) }))
    server.hold('PATCH /article/1')
    const changed = controller.fetch(api.article.partialUpdate, { id: 1 }, { title: 'New' })
    await settle()
    server.route('GET /user/1', userFields(1, { name: 'New' }))
    const author = await mount('useSuspense', api.user.get, { id: 1 })
    await settle()
    expect(shown(author)).toMatchObject({ name: 'New' })
    server.release()
    await changed
    await settle()
    expect(shown(author)).toMatchObject({ name: 'New' })
    expect(server.requests).toEqual(['PATCH /article/1', 'GET /user/1', 'GET /user/1'])
  },
)

scenario(
  'G4/create/a move',
  'a record that a message has moved before its create is answered is in the list that it was moved to',
  async (stage) => {
    const { controller, server, settle } = stage
    const stories = storiesOf(stage)
    const { getList, create } = stories
    const { ones, twos, disconnect } = await mountLists(stage, stories)
    const created = controller.fetch(create, { title: 'New', n: 1 })
    await settle()
    const sink = stories.sink()
    sink?.set(getList.schema.push, {}, { id: 6, title: 'New', n: 1, slug: 'new' })
    sink?.set(getList.schema.move, {}, { id: 6, title: 'New', n: 2, slug: 'new' })
    await settle()
    expect([titlesOf(ones), titlesOf(twos)]).toEqual([['a'], ['New']])
    server.route('GET /story?n=2', [{ id: 6, title: 'New', n: 2, slug: 'new' }])
    server.release('POST /story')
    await created
    await settle()
    expect([titlesOf(ones), titlesOf(twos)]).toEqual([['a'], ['New']])
    disconnect()
  },
)

const titlesOf = (list: Reader) => (shown(list) as readonly Story[]).map(({ title }) => title)

scenario(
  'G4/lists',
  'of two moves that the server handles in reverse, one read of each list that they concern settles where the record is',
  async (stage) => {
    const row = { id: 1, state: 'todo' }
    const held: (() => void)[] = []
    let reads = 0
    const tasks = createResource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { state: string },
      optimistic,
      fetchResponse: async (url: string, init: RequestInit) => {
        if (init.method === 'PATCH') {
          await new Promise<void>((resolve) => held.push(resolve))
          Object.assign(row, JSON.parse(init.body as string))
          return Response.json({ ...row })
        }
        reads++
        return Response.json(url.endsWith(`state=${row.state}`) ? [{ ...row }] : [])
      },
    })
    const readers: Reader[] = []
    for (const state of ['todo', 'doing', 'done', 'dropped'])
      readers.push(await stage.mount('useSuspense', tasks.getList, { state }))
    await stage.settle()
    const numbers = () => readers.map((reader) => (reader.current() as { data: Task[] }).data.length).join('')
    expect(numbers()).toBe('1000')
    reads = 0
    const moves = ['doing', 'done'].map((state) =>
      stage.controller.fetch(tasks.partialUpdate, { id: 1 }, { state }),
    )
    await stage.settle()
    expect(numbers()).toBe('0010')
    for (const handle of held.toReversed()) {
      handle()
      await stage.settle()
    }
    await Promise.all(moves)
    await stage.settle()
    expect(row.state).toBe('doing')
    expect(numbers()).toBe('0100')
    // The server says nothing of the two other lists.
    expect(reads).toBe(2)
  },
)
