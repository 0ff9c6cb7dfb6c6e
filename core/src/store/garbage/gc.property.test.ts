import { callsOf } from '../../controller/calls.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../../index.js'
import type { Clock } from '../../index.js'
import { GarbageCollector } from './gc.js'
import type { Reference } from '../../normalize/reference.js'
import type { RecordIndex } from '../indexes.js'
import { neverWritten } from '../stamp.js'
import { optimistic } from '../../optimistic/optimistic.js'

/** Nodes that refer to each other freely: cycles, self references, shared and missing records. */
class Node extends Entity {
  id = 0
  email = ''
  value = 0
  next: Node | null = null
  friends: Node[] = []
  static override key = 'Node'
  static override indexes = ['email']
}
Node.schema = { next: Node, friends: [Node] }

interface Model {
  value: number
  next: number | null
  friends: number[]
}

const size = 8
const keepLength = 1000
const id = fc.integer({ min: 0, max: size - 1 })
const ids = fc.array(id, { maxLength: 3 })
const fields = fc.record({
  value: fc.integer({ min: 0, max: 2 }),
  next: fc.option(id, { nil: null }),
  friends: ids,
})
const kinds = ['detail', 'list', 'collection', 'all', 'indexed'] as const
const call = fc.record({ kind: fc.constantFrom(...kinds), id })
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('slice' as const), times: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(0, 1, 400, keepLength, 6000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set' as const), id, fields }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), call, id, fields, ids }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('show early' as const), id, fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), succeeds: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('invalidate' as const), call }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), call }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mount' as const), call }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('unmount' as const), index: fc.integer({ min: 0, max: 5 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A clock whose timers run when they are due and a macrotask passes. */
function manualClock() {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback }
      timers.push(timer)
      return timer
    },
    clearTimeout: (timer) => (timers = timers.filter((other) => other !== timer)),
  }
  return {
    clock,
    pending: () => timers.length,
    wait: (ms: number) => (now += ms),
    /** Runs one macrotask. @returns true if a timer was due */
    pass() {
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
      return due.length > 0
    },
  }
}

/** A Controller and a model of it: the model knows the data that must be kept, and learns which other data was dropped. */
class Scene {
  readonly time = manualClock()
  readonly controller = new Controller({ clock: this.time.clock, keepLength: Infinity })
  readonly collector: GarbageCollector
  readonly maxRecords: number
  readonly #records = new Map<number, Model & { at: number; start: number }>()
  readonly #early: {
    id: number
    fields: Model
    start: number
    settle: (succeeds: boolean) => Promise<void>
  }[] = []
  /** The results of calls, and the times of their last use. */
  readonly #answers = new Map<string, number[]>()
  readonly #usedAt = new Map<string, { call: Call; at: number }>()
  readonly #invalid = new Set<string>()
  mounted: { call: Call; end: () => void }[] = []
  #payload: unknown = undefined
  #settled: Promise<unknown> = Promise.resolve()
  #resolve: (succeeds: boolean) => void = () => {}

  readonly #detail = new Endpoint((_args: { id: number }) => Promise.resolve(this.#payload), {
    name: 'detail',
    schema: Node,
  })
  readonly #list = new Endpoint((_args: { page: number }) => Promise.resolve(this.#payload), {
    name: 'list',
    schema: [Node],
  })
  readonly #collection = new Endpoint((_args: { page: number }) => Promise.resolve(this.#payload), {
    name: 'collection',
    schema: new schema.Collection([Node]),
  })
  readonly #all = new Query(new schema.All(Node))
  readonly #indexed = new Query(Node)
  readonly #remove = new Endpoint((_args: { id: number }) => Promise.resolve(this.#payload), {
    name: 'remove',
    sideEffect: true,
    schema: new schema.Delete(Node),
  })
  readonly #change = new Endpoint(
    (payload: object) =>
      new Promise((resolve, reject) => {
        this.#resolve = (succeeds) => (succeeds ? resolve(payload) : reject(new Error('refused')))
      }),
    {
      name: 'change',
      sideEffect: true,
      schema: Node,
      getOptimisticResponse: optimistic((_, payload: object) => payload),
    },
  )

  constructor(unitsPerSlice: number, maxRecords: number) {
    this.maxRecords = maxRecords
    const { store } = callsOf(this.controller)
    this.collector = new GarbageCollector(store, this.time.clock, { keepLength, maxRecords, unitsPerSlice })
  }

  async run(action: Step): Promise<void> {
    switch (action.do) {
      case 'slice':
        for (let time = 0; time < action.times; time++) this.pass()
        break
      case 'wait':
        this.time.wait(action.ms)
        break
      case 'set':
        this.controller.set(Node, { id: action.id }, payloadOf(action.id, action.fields) as never)
        this.#write(action.id, action.fields, this.#sequence)
        break
      case 'answer':
        await this.#answer(action.call, action.id, action.fields, action.ids)
        break
      case 'remove':
        this.#payload = { id: action.id }
        await this.controller.fetch(this.#remove, { id: action.id })
        this.#records.delete(action.id)
        this.#tombstones.set(action.id, this.#sequence)
        this.pass(false)
        break
      case 'show early':
        this.#showEarly(action.id, action.fields)
        break
      case 'settle':
        await this.settle(action.succeeds)
        break
      case 'invalidate':
        this.#invalidate(action.call)
        break
      case 'read':
        this.#read(action.call)
        break
      case 'mount':
        this.#mount(action.call)
        break
      case 'unmount':
        this.unmount(action.index)
    }
    this.collector.schedule()
    this.check()
  }

  readonly #tombstones = new Map<number, number>()

  get #sequence(): number {
    return callsOf(this.controller).store.nextSequence()
  }

  /** Runs one macrotask, which must not change any shown data. */
  pass(isQuiet = true): boolean {
    const before = this.mounted.map(({ call }) => this.#peek(call))
    const hasPassed = this.time.pass()
    if (isQuiet)
      expect(this.mounted.map(({ call }) => this.#peek(call)).every((data, at) => data === before[at])).toBe(
        true,
      )
    const must = this.#reachable()
    for (const id of [...this.#records.keys()]) {
      if (this.#isThere(id)) continue
      expect(must, `${id} was collected`).not.toContain(id)
      this.#records.delete(id)
    }
    return hasPassed
  }

  check(): void {
    for (const { call } of this.mounted) expect(textOf(this.#peek(call))).toBe(this.#expected(call))
  }

  async settle(succeeds: boolean): Promise<void> {
    const early = this.#early.shift()
    if (early === undefined) return
    await early.settle(succeeds)
    const { id, start } = early
    if (succeeds && start >= this.#lastStart(id)) this.#write(id, early.fields, start)
    this.pass(false)
  }

  unmount(index: number): void {
    const [left] = this.mounted.splice(index, 1)
    left?.end()
    if (left !== undefined) this.#use(left.call)
  }

  async releaseAll(): Promise<void> {
    while (this.mounted.length > 0) this.unmount(0)
    while (this.#early.length > 0) await this.settle(false)
  }

  /** The data that must be kept: shown by readers or by mutations in flight, needed to order their writes, or recent. */
  needed(): Set<number> {
    const early = this.#early.flatMap(({ id, fields: { next, friends } }) => [id, next ?? id, ...friends])
    const [first] = this.#early
    const ordered = [...this.#records].filter(([, { start }]) => first !== undefined && start > first.start)
    const deleted = [...this.#tombstones].filter(([, start]) => first !== undefined && start > first.start)
    return this.#closure([
      ...this.mounted.flatMap(({ call }) => this.#held(call)),
      ...early,
      ...ordered.map(([id]) => id),
      ...deleted.map(([id]) => id),
    ])
  }

  /** The data that may be kept: readers on screen keep what they showed until their Invalid call is answered. */
  allowed(): Set<number> {
    return this.#closure([...this.needed(), ...this.mounted.flatMap(({ call }) => this.#shownBefore(call))])
  }

  #reachable(): Set<number> {
    const needed = this.needed()
    if (this.maxRecords !== Infinity) return needed
    const since = this.time.clock.now() - keepLength
    const records = [...this.#records].filter(([, { at }]) => at > since).map(([id]) => id)
    const rows = [...this.#usedAt.values()].filter(({ at }) => at > since)
    return this.#closure([...needed, ...records, ...rows.flatMap(({ call }) => this.#held(call))])
  }

  #closure(roots: readonly number[]): Set<number> {
    const found = new Set(roots)
    for (const id of found) {
      for (const node of [this.#records.get(id), this.#shown(id)]) {
        for (const next of [...(node?.friends ?? []), node?.next ?? id]) found.add(next)
      }
    }
    return found
  }

  /** The records that a call refers to. */
  #held(call: Call): number[] {
    return this.#invalid.has(keyOf(call)) ? [] : this.#shownBefore(call)
  }

  /** The records that a call refers to, or referred to before it became Invalid. */
  #shownBefore(call: Call): number[] {
    if (call.kind === 'detail') return [call.id]
    if (call.kind === 'all') return this.#shownIds
    if (call.kind === 'indexed') return this.#shown(call.id) === undefined ? [] : [call.id]
    return this.#answers.get(keyOf(call)) ?? []
  }

  get #shownIds(): number[] {
    return Array.from({ length: size }, (_, id) => id).filter((id) => this.#shown(id) !== undefined)
  }

  #shown(id: number): Model | undefined {
    return this.#early.findLast((early) => early.id === id)?.fields ?? this.#records.get(id)
  }

  #isLost({ mark }: Reference): boolean {
    const { store } = callsOf(this.controller)
    return store.isSweeping && mark !== store.epoch
  }

  /** Reads the tables directly, because the garbage run would notice a look-up. */
  #isThere(id: number): boolean {
    const { tables } = callsOf(this.controller).store
    const node = tables.get('Node')?.nodes.get(String(id))
    const isLost = node !== undefined && this.#isLost(node)
    // Optimistic data was never received.
    return node?.fields !== undefined && node.stamp !== neverWritten && !isLost
  }

  /** The start of the latest mutation of a record. */
  #lastStart(id: number): number {
    return this.#records.get(id)?.start ?? this.#tombstones.get(id) ?? 0
  }

  #write(id: number, model: Model, start: number): void {
    this.#records.set(id, { ...model, at: this.time.clock.now(), start })
  }

  async #answer(call: Call, id: number, model: Model, members: number[]): Promise<void> {
    const { kind } = call
    if (kind === 'all' || kind === 'indexed') return
    const record = payloadOf(kind === 'detail' ? call.id : id, model)
    this.#payload =
      kind === 'detail'
        ? record
        : [...new Set([...members, id])].map((other) => (other === id ? record : other))
    await this.#fetch(call)
    // The response of a read does not hide from older mutations in flight that a newer one was answered (G4).
    this.#write(record.id, model, this.#lastStart(record.id))
    if (kind !== 'detail') this.#answers.set(keyOf(call), [...new Set([...members, id])])
    this.#invalid.delete(keyOf(call))
    this.#use(call)
  }

  #fetch({ kind, id }: Call): Promise<unknown> {
    const { controller } = this
    if (kind === 'detail') return controller.fetch(this.#detail, { id })
    return controller.fetch(kind === 'list' ? this.#list : this.#collection, { page: id })
  }

  #showEarly(id: number, model: Model): void {
    const start = this.#sequence + 1
    this.#settled = this.controller.fetch(this.#change, payloadOf(id, model)).catch(() => {})
    const settled = this.#settled
    const resolve = this.#resolve
    const settle = async (succeeds: boolean) => {
      resolve(succeeds)
      await settled
    }
    this.#early.push({ id, fields: model, start, settle })
  }

  #endpointOf({ kind, id }: Call) {
    if (kind === 'detail') return [this.#detail, { id }] as const
    if (kind === 'list') return [this.#list, { page: id }] as const
    if (kind === 'collection') return [this.#collection, { page: id }] as const
    return kind === 'all'
      ? ([this.#all, undefined] as const)
      : ([this.#indexed, { email: `e${id}` }] as const)
  }

  #invalidate(call: Call): void {
    const [endpoint, args] = this.#endpointOf(call)
    this.controller.invalidate(endpoint as never, ...([args] as never))
    this.#invalid.add(keyOf(call))
    this.#use(call)
  }

  #read(call: Call): unknown {
    const [endpoint, args] = this.#endpointOf(call)
    const { data } = this.controller.read(endpoint as never, ...([args] as never))
    this.#use(call)
    return data
  }

  /** The data of a mounted reader, read like a reader does: without a look-up of its call. */
  #peek(call: Call): unknown {
    return this.#rowOf(call)?.snapshot().data
  }

  #rowOf(call: Call) {
    const [endpoint, args] = this.#endpointOf(call)
    const key = (endpoint.key as (args: unknown) => string)(args)
    return callsOf(this.controller).store.results.get(key)?.[0]
  }

  #use(call: Call): void {
    this.#usedAt.set(keyOf(call), { call, at: this.time.clock.now() })
  }

  #mount(call: Call): void {
    // The data of the call may be collected: the model learns of it here.
    if (this.#rowOf(call) === undefined) {
      this.#answers.delete(keyOf(call))
      this.#invalid.delete(keyOf(call))
      this.#noteList(call)
    }
    const [endpoint, args] = this.#endpointOf(call)
    const listener = () => {}
    const end = this.controller.subscribe(endpoint as never, ...([args, listener] as never))
    this.mounted.push({ call, end })
    this.#use(call)
  }

  /** A list of a Collection may outlive the call that loaded it. */
  #noteList(call: Call): void {
    if (call.kind !== 'collection') return
    const tables = callsOf(this.controller).store.lists?.tables ?? []
    const node = [...(tables[0]?.nodes.values() ?? [])].find(
      ({ args }) => args['page'] === String(call.id) || args['page'] === call.id,
    )
    const isLost = node !== undefined && this.#isLost(node)
    if (!isLost && Array.isArray(node?.members)) {
      this.#answers.set(
        keyOf(call),
        node.members.map(({ pk }: { pk: string }) => Number(pk)),
      )
    }
  }

  #expected(call: Call): string {
    if (this.#invalid.has(keyOf(call))) return 'missing'
    const shown = (id: number) => this.#textOfModel(id)
    if (call.kind === 'detail' || call.kind === 'indexed') return shown(call.id)
    if (call.kind === 'all') return listText(this.#shownIds.map(shown))
    const members = this.#answers.get(keyOf(call))
    if (members === undefined) return 'missing'
    return listText(members.filter((id) => this.#shown(id) !== undefined).map(shown))
  }

  #textOfModel(start: number): string {
    return shownFrom<number>(start, (id) => {
      const node = this.#shown(id)
      if (node === undefined) return undefined
      const friends = node.friends.filter((friend) => this.#shown(friend) !== undefined)
      return { text: `${id}:${node.value}`, next: node.next, friends }
    })
  }
}

const payloadOf = (id: number, model: Model) => ({ id, email: `e${id}`, ...model })
const keyOf = ({ kind, id }: Call) => (kind === 'all' ? kind : `${kind} ${id}`)
const listText = (members: string[]) => [...members].sort().join(' | ')

function textOf(data: unknown): string {
  if (Array.isArray(data)) return listText(data.map(textOf))
  return shownFrom<Node | undefined>(
    data as Node | undefined,
    (node) => node && { text: `${node.id}:${node.value}`, next: node.next, friends: node.friends },
  )
}

/** The data of a node as text that is finite in a cycle. */
function shownFrom<Key>(
  start: Key,
  read: (key: Key) => { text: string; next: Key | null; friends: Key[] } | undefined,
): string {
  const seen = new Map<Key, number>()
  const visit = (key: Key): string => {
    const known = seen.get(key)
    if (known !== undefined) return `#${known}`
    const node = read(key)
    if (node === undefined) return 'missing'
    seen.set(key, seen.size)
    const next = node.next === null ? 'null' : visit(node.next)
    return `(${node.text} ${next} [${node.friends.map(visit).join()}])`
  }
  return visit(start)
}

test(
  'nothing reachable is ever collected, and all of it when nothing is reachable any more (G6)',
  { timeout: 240_000 },
  async () => {
    const setting = fc.record({
      unitsPerSlice: fc.integer({ min: 1, max: 12 }),
      first: fc.array(fields, { minLength: size, maxLength: size }),
      isOld: fc.boolean(),
      maxRecords: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 6 })),
    })
    await fc.assert(
      fc.asyncProperty(
        setting,
        fc.array(step, { maxLength: 60 }),
        async ({ unitsPerSlice, maxRecords, first, isOld }, steps) => {
          const scene = new Scene(unitsPerSlice, maxRecords)
          const { store } = callsOf(scene.controller)
          for (const [id, fields] of first.entries()) await scene.run({ do: 'set', id, fields })
          scene.time.wait(isOld ? keepLength : 0)
          for (const action of steps) await scene.run(action)

          // Without further activity the store is within its limit, or holds only allowed records.
          scene.time.wait(6000)
          for (let turn = 0; turn < 3; turn++) {
            while (scene.pass());
            scene.time.wait(6000)
          }
          const allowed = scene.allowed()
          const left = [...(store.tables.get('Node')?.nodes.keys() ?? [])]
          expect(left.length <= maxRecords || left.every((pk) => allowed.has(Number(pk)))).toBe(true)

          await scene.releaseAll()
          for (let turn = 0; turn < 4; turn++) {
            scene.collector.schedule()
            scene.time.wait(keepLength + 6000)
            while (scene.pass());
          }
          expect([store.size, store.results.size, store.lists?.size ?? 0, scene.time.pending()]).toEqual([
            0, 0, 0, 0,
          ])
          for (const table of store.tables.values()) {
            expect([table.members ?? [], table.lists.size]).toEqual([[], 0])
            for (const index of table.indexes.values()) expect((index as RecordIndex).size).toBe(0)
          }
        },
      ),
      { numRuns: 1000 },
    )
  },
)
