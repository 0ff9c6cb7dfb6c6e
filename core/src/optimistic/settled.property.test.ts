import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Controller, Entity, Query, schema } from '../index.js'
import type { ReadEndpoint } from '../index.js'
import { RestEndpoint, createResource } from '../rest.js'
import type { RestOptions } from '../rest.js'
import { optimistic } from './optimistic.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  group = 0
  static override key = 'Todo'
}
const allTodos = new Query(new schema.All(Todo))

const id = fc.integer({ min: 1, max: 4 })
const group = fc.constantFrom(1, 2)
const todo = fc.record({ id, group, title: fc.constantFrom('a', 'b') }, { requiredKeys: ['id', 'group'] })
const members = fc.uniqueArray(todo, { maxLength: 3, selector: (each) => each.id })
const params = fc.constantFrom({}, { group: 1 })
const step = fc.oneof(
  fc.record({ call: fc.constant('list' as const), params }),
  fc.record({ call: fc.constant('page' as const), params }),
  fc.record({ call: fc.constantFrom('create' as const, 'push' as const, 'unshift' as const), group }),
  fc.record({ call: fc.constantFrom('move' as const, 'remove' as const, 'delete' as const), id, group }),
  fc.record({ call: fc.constant('set' as const), id, group }),
  fc.record({ at: fc.nat(4), isRefused: fc.boolean(), members }),
  fc.record({ at: fc.nat(4), isRefused: fc.boolean(), members }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Sent = Extract<Step, { call: string }>

interface Waiting {
  readonly method: string
  /** The payload that confirms a mutation. */
  readonly echo: object
  answer(payload: unknown): void
  refuse(): void
}

/** An application whose requests the test answers; with optimistic mutations or without. */
function application(form: string, isOptimistic: boolean) {
  const waiting: Waiting[] = []
  let created = 100
  const resource = createResource({
    path: '/todo/:id',
    schema: Todo,
    searchParams: {} as { group?: number; cursor?: number },
    paginationField: 'cursor',
    ...(isOptimistic && { optimistic }),
    Endpoint: class<const Options extends RestOptions = RestOptions> extends RestEndpoint<Options> {
      override fetchResponse(url: string, { method = 'GET', body }: RequestInit) {
        const named = Number(url.split('/').at(-1))
        const fields = typeof body === 'string' ? (JSON.parse(body) as object) : {}
        const echo = { ...fields, id: named || ++created }
        return new Promise<Response>((resolve, reject) =>
          waiting.push({
            method,
            echo,
            answer: (payload) => resolve(Response.json(payload)),
            refuse: () => reject(new Error('refused')),
          }),
        )
      }
    },
  })
  const { getList } = resource
  const read = (form === 'a Collection' ? getList : getList.extend({ schema: [Todo] })) as typeof getList
  const controller = new Controller({ keepLength: Infinity })
  const send = (sent: Sent): unknown => {
    if (sent.call === 'set') return controller.set(Todo, { id: sent.id }, { group: sent.group })
    if (sent.call === 'list') return controller.fetch(read, sent.params)
    if (sent.call === 'page') return controller.fetch(read.getPage, { ...sent.params, cursor: 1 })
    if (sent.call === 'create') return controller.fetch(resource.create, { group: sent.group })
    if (sent.call === 'delete') return controller.fetch(resource.delete, { id: sent.id })
    if (!('id' in sent)) return controller.fetch(getList[sent.call], {}, { group: sent.group })
    return controller.fetch(getList[sent.call], { id: sent.id }, { group: sent.group })
  }
  const shown = () => ({
    lists: [{}, { group: 1 }].map((each) => controller.read(read as ReadEndpoint, each).data),
    all: controller.get(allTodos),
  })
  return { controller, waiting, send, shown }
}

const nextTask = () => new Promise((done) => setImmediate(done))

test.each(['a Collection', 'an array'])(
  'when all mutations have settled, pages of %s show what the responses alone make of them',
  async (form) => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const [early, late] = [application(form, true), application(form, false)]
      const settle = async (at: number, isRefused: boolean, payload: unknown) => {
        const before = early.shown()
        const expected = JSON.stringify(before)
        for (const { waiting } of [early, late]) {
          for (const { method, echo, answer, refuse } of waiting.splice(at % waiting.length, 1)) {
            if (isRefused) refuse()
            else answer(method === 'GET' ? payload : echo)
          }
        }
        await nextTask()
        const after = early.shown()
        if (!isRefused && JSON.stringify(after) === expected) {
          expect(after.all).toBe(before.all)
          after.lists.forEach((list, index) => expect(list).toBe(before.lists[index]))
        }
        if (early.waiting.some(({ method }) => method !== 'GET')) return
        const { lists, all } = late.shown()
        expect(after.lists).toEqual(lists)
        // A created record takes the place of its temporary record, which arrived earlier.
        expect(new Set(after.all)).toEqual(new Set(all))
      }
      for (const each of steps) {
        if ('call' in each) {
          for (const { send } of [early, late]) Promise.resolve(send(each)).catch(() => {})
          await nextTask()
        } else if (early.waiting.length > 0) await settle(each.at, each.isRefused, each.members)
      }
      while (early.waiting.length > 0) await settle(0, false, [{ id: 1, group: 1 }])
      for (const { controller } of [early, late]) controller.dispose()
    })
    await fc.assert(property, { numRuns: 120 })
  },
)
