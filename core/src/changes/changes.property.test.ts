import { ManualClock } from '@selfsame/conformance'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallChange, Commit, CommittedChanges, ListChange, RecordChange } from '../changes.js'
import { changes } from '../changes.js'
import { callsOf } from '../controller/calls.js'
import { dehydrate, hydrate } from '../hydration.js'
import type { DehydratedList, DehydratedState } from '../hydration.js'
import { Controller, Entity, Query, schema } from '../index.js'
import type { ReadEndpoint } from '../index.js'
import { optimistic } from '../optimistic.js'
import { RestEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Todo extends Entity {
  id: number | string = 0
  title = ''
  group = 0
  votes = 0
  author: User | undefined
  comments: readonly Todo[] = []
  static override key = 'Todo'
  static override schema = { author: User, comments: new schema.Collection([Todo]) }
}
const allTodos = new Query(new schema.All(Todo))

const id = fc.integer({ min: 1, max: 4 })
const group = fc.constantFrom(1, 2)
const user = fc.record({ id: fc.integer({ min: 1, max: 2 }), name: fc.constantFrom('x', 'y') })
const todo = fc.record(
  { id, group, title: fc.constantFrom('a', 'b'), author: user },
  { requiredKeys: ['id', 'group'] },
)
const members = fc.uniqueArray(
  fc.record(
    { id, group, author: user, comments: fc.array(todo, { maxLength: 1 }) },
    { requiredKeys: ['id'] },
  ),
  { maxLength: 3, selector: (each) => each.id },
)
const params = fc.constantFrom({}, { group: 1 })
const number = fc.nat(4)
const step = fc.oneof(
  fc.record({ call: fc.constantFrom('list' as const, 'page' as const, 'array' as const), params }),
  fc.record({ call: fc.constant('detail' as const), id }),
  fc.record({ call: fc.constantFrom('create' as const, 'push' as const, 'unshift' as const), group }),
  fc.record({ call: fc.constantFrom('move' as const, 'delete' as const, 'vote' as const), id, group }),
  fc.record({ call: fc.constantFrom('set' as const, 'setUser' as const, 'remove' as const), id, group }),
  fc.record({ call: fc.constant('respond' as const), members }),
  fc.record({ call: fc.constantFrom('invalidate' as const, 'expire' as const, 'fail' as const), params }),
  fc.record({ call: fc.constantFrom('hydrate' as const, 'reset' as const, 'batch' as const), id }),
  fc.record({ call: fc.constant('wait' as const), minutes: fc.constantFrom(1, 10) }),
  fc.record({ at: number, isRefused: fc.boolean(), members }),
  fc.record({ at: number, isRefused: fc.boolean(), members }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Call = Extract<Step, { call: string }>

interface Waiting {
  readonly method: string
  readonly url: string
  readonly echo: object
  answer(payload: unknown): void
  refuse(): void
}

/** An application whose requests the test answers. */
function application(maxRecords: number) {
  const clock = new ManualClock(1_000_000)
  const waiting: Waiting[] = []
  let created = 100
  class Rest<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
    override fetchResponse(url: string, { method = 'GET', body }: RequestInit) {
      const named = Number(url.split('/').at(-1))
      const fields = typeof body === 'string' ? (JSON.parse(body) as object) : {}
      const echo = { ...fields, id: named || ++created }
      return new Promise<Response>((resolve, reject) =>
        waiting.push({
          method,
          url,
          echo,
          answer: (payload) => resolve(Response.json(payload)),
          refuse: () => reject(new Error('refused')),
        }),
      )
    }
  }
  const resource = createResource({
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as { group?: number; cursor?: number },
    paginationField: 'cursor',
    optimistic,
    Endpoint: Rest,
  })
  const { get, getList } = resource
  const array = getList.extend({ path: '/array', schema: [Todo] }) as unknown as typeof getList
  // Reads what is below it, so that it runs again.
  const vote = resource.partialUpdate.extend({
    getOptimisticResponse: optimistic((snapshot, given: { id: number }) => {
      const { votes = 0 } = snapshot.get(Todo, given) ?? {}
      return { id: given.id, votes: votes + 1 }
    }),
  })
  const controller = new Controller({ clock, maxRecords, keepLength: 300_000 })
  const page = { ...dehydrated(), ...dehydrated() }

  /** A state of another visit. */
  function dehydrated(): DehydratedState {
    const other = new Controller({ clock })
    other.setResponse(get, { id: 2 }, { id: 2, title: 'hydrated', author: { id: 1, name: 'z' } })
    other.setResponse(getList, { group: 1 }, [{ id: 3, group: 1, title: 'hydrated' }])
    const state = JSON.parse(JSON.stringify(dehydrate(other))) as DehydratedState
    other.dispose()
    return state
  }

  const send = (sent: Call): unknown => {
    switch (sent.call) {
      case 'list':
        return controller.fetch(getList, sent.params)
      case 'page':
        return controller.fetch(getList.getPage, { ...sent.params, cursor: 1 })
      case 'array':
        return controller.fetch(array, sent.params)
      case 'detail':
        return controller.fetch(get, { id: sent.id })
      case 'create':
        return controller.fetch(resource.create, { group: sent.group })
      case 'push':
      case 'unshift':
        return controller.fetch(getList[sent.call], {}, { group: sent.group })
      case 'move':
        return controller.fetch(getList.move, { id: sent.id }, { group: sent.group })
      case 'delete':
        return controller.fetch(resource.delete, { id: sent.id })
      case 'vote':
        return controller.fetch(vote, { id: sent.id }, {})
      case 'set':
        return controller.set(Todo, { id: sent.id }, { group: sent.group })
      case 'setUser':
        return controller.set(User, { id: sent.id % 2 }, { name: `name ${sent.group}` })
      case 'remove':
        return controller.set(new schema.Delete(Todo), { id: sent.id }, { id: sent.id })
      case 'respond':
        return controller.setResponse(getList, {}, sent.members)
      case 'invalidate':
        return controller.invalidate(getList, sent.params)
      case 'expire':
        return controller.expireAll(getList)
      case 'fail':
        return controller.setError(getList, sent.params, new Error('set'))
      case 'hydrate':
        return hydrate(controller, page)
      case 'reset':
        return controller.resetAll()
      case 'batch':
        return controller.batch(() => {
          controller.set(Todo, { id: sent.id }, { title: 'batch' })
          controller.set(Todo, { id: sent.id }, { title: 'batched', author: { id: 1 } as User })
          controller.set(Todo, { id: 1 }, (stored) => ({ votes: (stored?.votes ?? 0) + 1 }))
        })
      case 'wait':
        return clock.advance(sent.minutes * 60_000)
    }
  }
  return { controller, clock, waiting, send, resource, array }
}

/** What the events make. Each event has to begin where the one before has ended. */
class Copy {
  readonly records = new Map<string, RecordChange>()
  readonly lists = new Map<string, ListChange>()
  readonly calls = new Map<string, CallChange>()

  apply({ records, lists, calls }: CommittedChanges): void {
    for (const change of records) this.#put(this.records, `${change.key} ${change.pk}`, change)
    for (const change of lists) this.#put(this.lists, change.id, change)
    for (const change of calls) this.#put(this.calls, `${change.key} ${typeof change.schema}`, change)
  }

  #put<Change extends RecordChange | ListChange | CallChange>(
    all: Map<string, Change>,
    name: string,
    change: Change,
  ): void {
    const { status: _, ...known } = (all.get(name)?.after ?? {}) as { status?: string }
    const { status: __, ...before } = (change.before ?? {}) as { status?: string }
    expect(before, `before, of ${name}`).toEqual(known)
    if (change.after === undefined) all.delete(name)
    else all.set(name, change)
  }

  /** The records of a class as a read gives them, in the order of `schema.All`. */
  all(key: string): unknown[] {
    return [...this.records.values()]
      .filter((change) => change.key === key && change.after?.fields !== undefined)
      .sort((a, b) => (a.after?.place ?? 0) - (b.after?.place ?? 0))
      .map(({ pk }) => this.record(key, pk))
  }

  record(key: string, pk: string): unknown {
    const fields = this.records.get(`${key} ${pk}`)?.after?.fields
    if (fields === undefined) return undefined
    const { author, comments, ...own } = fields as Record<string, unknown>
    if (author !== undefined) own['author'] = this.record('User', String(author))
    // Records may hold each other.
    if (comments !== undefined) own['comments'] = idsOf(this.list(comments, false))
    return own
  }

  /** The records of a list or of an array of primary keys. */
  list(data: unknown, isDeep = true): unknown {
    const { list } = data as { list?: string }
    const pks = list === undefined ? data : this.lists.get(list)?.after?.members
    return (pks as string[] | undefined)?.flatMap((pk) => {
      const fields = this.records.get(`Todo ${pk}`)?.after?.fields
      return fields === undefined ? [] : isDeep ? this.record('Todo', pk) : fields
    })
  }
}

const fieldsIn = ({ records }: Copy) => [...records].map(([name, { after }]) => [name, after?.fields]).sort()

function idsOf(list: unknown): unknown {
  return (list as { id?: unknown }[] | undefined)?.map((each) => each.id ?? each)
}

const nextTask = () => new Promise((done) => setImmediate(done))

type Application = ReturnType<typeof application>

function compareShown({ controller, resource, array }: Application, copy: Copy): void {
  for (const pk of [1, 2, 3, 4]) {
    expect(withoutDefaults(controller.get(Todo, { id: pk }))).toEqual(
      withoutDefaults(copy.record('Todo', String(pk))),
    )
  }
  expect(withoutDefaults(controller.get(allTodos) ?? [])).toEqual(withoutDefaults(copy.all('Todo')))
  for (const endpoint of [resource.getList, array]) {
    for (const given of [{}, { group: 1 }]) {
      const { data, error } = controller.read(endpoint as ReadEndpoint, given)
      const key = endpoint.key(given)
      const call = [...copy.calls.values()].find((change) => change.key === key)?.after
      expect(error).toBe(call?.error)
      // Another call may answer a list that was not fetched itself, and a call may be Invalid with its data stored.
      if (call?.isAnswered === true && call.status !== 'Invalid' && data !== undefined)
        expect(withoutDefaults(data)).toEqual(withoutDefaults(copy.list(call.data)))
    }
  }
}

/** Reads have the defaults of the class, stored fields have not. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([, part]) =>
      part !== '' && part !== 0 && part !== undefined && !(Array.isArray(part) && part.length === 0),
  )
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name === 'comments' ? idsOf(part) : withoutDefaults(part)]),
  )
}

/** Compares all received data, with the tables of the store as `dehydrate` writes them. */
function compareReceived({ controller }: Application, copy: Copy): void {
  const state = dehydrate(controller)
  const times = (stamp: number) => {
    const [receivedAt, expiresAt] = state.stamps[stamp] ?? []
    return [receivedAt, expiresAt]
  }
  const ageIn = ({ receivedAt, expiresAt }: { receivedAt: number; expiresAt: number }) =>
    [receivedAt, expiresAt].map((time) => (time === Infinity ? null : time))
  const toTimes = (given: readonly (number | null | undefined)[]) =>
    given.map((time) => (time === Infinity ? null : Math.max(time ?? Infinity, Number.MIN_SAFE_INTEGER)))
  /** The `id` of a list in the copy. A list that was never loaded is not in it. */
  const listName = (index: number) => idOf(state.lists[index]!)
  const idOf = ({ name, call }: DehydratedList) =>
    [...copy.lists.values()].find(
      (each) => (call !== undefined && each.call === call) || each.id.endsWith(` ${name}`),
    )?.id
  /** The encoded value with primary keys and the names of lists. */
  const decode = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(decode)
    if (typeof value !== 'object' || value === null) return value
    const { $record, $list } = value as { $record?: [string, string]; $list?: number }
    if ($record !== undefined) return $record[1]
    if ($list !== undefined) return { list: listName($list) }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decode(part)]))
  }
  const stored = state.records.flatMap(([key, records]) =>
    records.flatMap(([pk, stamp, fields]) => {
      const [receivedAt] = times(stamp)
      // A record that a reset dropped is remembered, so that an older response does not bring it back.
      if (fields === null && (receivedAt ?? 0) <= Number.MIN_SAFE_INTEGER) return []
      return [[`${key} ${pk}`, decode(fields), toTimes(times(stamp))] as const]
    }),
  )
  const copied = [...copy.records].map(
    ([name, { after }]) => [name, after?.fields ?? null, toTimes(ageIn(after!))] as const,
  )
  const byName = (all: readonly (readonly [string, unknown, unknown])[]) =>
    Object.fromEntries(all.map(([name, ...state]) => [name, state]))
  expect(byName(copied)).toEqual(byName(stored))
  for (const { key, hasResult, isInferred, isInvalidated = false, result, error } of state.results) {
    const change = [...copy.calls.values()].find((each) => each.key === key)
    // A hydrated result waits for its first reader.
    if (change === undefined && !callsOf(controller).store.results.has(key)) continue
    expect(change?.after?.error === undefined).toBe(error === undefined)
    expect((change?.after?.status ?? 'Invalid') === 'Invalid').toBe(
      isInvalidated || hasResult !== true || isInferred === true,
    )
    if (hasResult === true && isInferred !== true) expect(change?.after?.data).toEqual(decode(result))
  }
  for (const list of state.lists) {
    if (list.members === undefined) continue
    const after = copy.lists.get(String(idOf(list)))?.after
    expect([after?.members, toTimes(ageIn(after!))], `list ${list.name}`).toEqual([
      decode(list.members),
      toTimes(times(list.stamp)),
    ])
  }
}

test.each([Infinity, 3])(
  'the events of all commits make the tables of the store, received and shown, with room for %s records',
  async (maxRecords) => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 14 }), number, async (steps, from) => {
      const app = application(maxRecords)
      const { controller, waiting, clock, send } = app
      const copies = { received: new Copy(), shown: new Copy() }
      let failure: unknown
      const listen = () =>
        changes(controller, (commit: Commit) => {
          try {
            expect(commit.received.calls.some((call) => call.after?.fetching === true)).toBe(false)
            copies.received.apply(commit.received)
            copies.shown.apply(commit.shown)
          } catch (error) {
            failure ??= error
          }
        })
      const isOver = () => waiting.every(({ method }) => method === 'GET')
      listen()
      for (const [index, each] of steps.entries()) {
        // A second listener, also while mutations are under way, changes nothing.
        if (index === from) changes(controller, () => {})()
        if ('call' in each) Promise.resolve(send(each)).catch(() => {})
        else {
          for (const { method, url, echo, answer, refuse } of waiting.splice(each.at % waiting.length, 1)) {
            if (each.isRefused) refuse()
            else if (method !== 'GET') answer(echo)
            else answer(/todo\/\d/.test(url) ? { ...each.members[0], ...echo } : each.members)
          }
        }
        await nextTask()
        // Ends the timers and the turns of the garbage collector.
        clock.advance(1)
        controller.batch(() => {})
        if (failure !== undefined) throw failure as Error
        compareShown(app, copies.shown)
        // A read takes hydrated data.
        controller.batch(() => {})
        compareReceived(app, copies.received)
        if (isOver()) expect(fieldsIn(copies.shown)).toEqual(fieldsIn(copies.received))
      }
      controller.dispose()
    })
    await fc.assert(property, { numRuns: 150 })
  },
)
