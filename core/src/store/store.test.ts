import { callsOf } from '../controller/calls.js'
import { describe, expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}
class Article extends Entity {
  id = 0
  title = ''
  content = ''
  author: User | undefined
  contributors: User[] = []
  static override key = 'Article'
  static override schema = { author: User, contributors: [User], createdAt: Date }
  declare createdAt: Date | undefined
}
class ArticleSummary extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

/** A list endpoint whose responses come from the test. */
function listEndpoint() {
  const answers: unknown[] = []
  const endpoint = new Endpoint(() => Promise.resolve(answers.shift()), { name: 'list', schema: [Article] })
  return { endpoint, answers }
}

const article = (id: number, more: object = {}) => ({
  id,
  title: `Article ${id}`,
  author: { id: 1, name: 'Ann' },
  ...more,
})

describe('a list that names a record twice', () => {
  test('shows its change at both places, also after more was appended', () => {
    const controller = new Controller()
    const { endpoint } = listEndpoint()
    const titles = () => controller.read(endpoint).data?.map(({ title }) => title)
    const received = [article(1), article(1), article(2)]
    controller.setResponse(endpoint, received)
    expect(titles()).toEqual(['Article 1', 'Article 1', 'Article 2'])
    controller.set(Article, { id: 1 }, { title: 'changed' })
    expect(titles()).toEqual(['changed', 'changed', 'Article 2'])
    controller.setResponse(endpoint, [...received, article(2)])
    expect(titles()).toEqual(['Article 1', 'Article 1', 'Article 2', 'Article 2'])
    controller.set(Article, { id: 2 }, { title: 'other' })
    expect(titles()).toEqual(['Article 1', 'Article 1', 'other', 'other'])
  })
})

describe('work', () => {
  test('one change among 10,000 read records calls one listener and recomputes one record view (C)', async () => {
    const controller = new Controller()
    const detail = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id, name: `User ${id}` }), {
      name: 'user',
      schema: User,
    })
    const listeners = Array.from({ length: 10_000 }, () => vi.fn())
    await Promise.all(listeners.map((_, id) => controller.fetch(detail, { id })))
    listeners.forEach((listener, id) => controller.subscribe(detail, { id }, listener))
    const before = callsOf(controller).store.graph.computed
    controller.set(User, { id: 77 }, { name: 'changed' })
    expect(listeners.filter((listener) => listener.mock.calls.length > 0)).toEqual([listeners[77]])
    expect(listeners[77]).toHaveBeenCalledTimes(1)
    // The record view, and the result view of that record.
    expect(callsOf(controller).store.graph.computed - before).toBe(2)
    expect(listeners[77]!.mock.calls[0]![0].data.name).toBe('changed')
  })

  test('an unchanged list of 10,000 keeps every identity and calls no listener (G2)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    const payload = () => Array.from({ length: 10_000 }, (_, id) => article(id, { tags: ['a', { b: 1 }] }))
    answers.push(payload(), payload())
    const first = await controller.fetch(endpoint)
    const listener = vi.fn()
    controller.subscribe(endpoint, listener)
    const before = callsOf(controller).store.graph.computed
    const second = await controller.fetch(endpoint)
    expect(second).toBe(first)
    expect(callsOf(controller).store.graph.computed).toBe(before)
    expect(listener).not.toHaveBeenCalled()
  })

  test('a list read after one of its records changed has one new member, and one array copy (C)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push(Array.from({ length: 1000 }, (_, id) => article(id)))
    const first = await controller.fetch(endpoint)
    const before = callsOf(controller).store.graph.computed
    controller.set(Article, { id: 500 }, { title: 'changed' })
    const second = controller.read(endpoint).data!
    expect(second).not.toBe(first)
    expect(second.flatMap((member, index) => (member === first[index] ? [] : [index]))).toEqual([500])
    // The record view, the list view and the result view.
    expect(callsOf(controller).store.graph.computed - before).toBe(3)
  })

  test('a shared nested record renews those that show it, once (C)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push([article(1), article(2), article(3, { author: { id: 2, name: 'Bob' } })])
    const first = await controller.fetch(endpoint)
    const listener = vi.fn()
    controller.subscribe(endpoint, listener)
    controller.set(User, { id: 1 }, { name: 'Anna' })
    const second = controller.read(endpoint).data!
    expect(second[0]!.author).toBe(second[1]!.author)
    expect(second[0]!.author!.name).toBe('Anna')
    expect(second[2]).toBe(first[2])
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test.each([20, 2000])(
    'a shared record costs as many views as show it, among %i records (C)',
    async (size) => {
      const controller = new Controller()
      const { endpoint, answers } = listEndpoint()
      answers.push(Array.from({ length: size }, (_, id) => article(id, { author: id < 5 ? 1 : 2 })))
      controller.set(User, { id: 1 }, { name: 'Ann' })
      controller.set(User, { id: 2 }, { name: 'Bob' })
      const first = await controller.fetch(endpoint)
      const before = callsOf(controller).store.graph.computed
      controller.set(User, { id: 1 }, { name: 'Anna' })
      const second = controller.read(endpoint).data!
      expect(second.flatMap((member, at) => (member === first[at] ? [] : [at]))).toEqual([0, 1, 2, 3, 4])
      // The views of the author, of five articles, of the list and of the result.
      expect(callsOf(controller).store.graph.computed - before).toBe(8)
    },
  )

  test('an answer that repeats its nested records renews one member, and those keep theirs (C)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    const detail = new Endpoint(
      ({ id }: { id: number }) => Promise.resolve(article(id, { title: 'changed' })),
      {
        name: 'article',
        schema: Article,
      },
    )
    answers.push(
      Array.from({ length: 100 }, (_, id) => article(id, { contributors: [{ id: 1, name: 'Ann' }] })),
    )
    const first = await controller.fetch(endpoint)
    await controller.fetch(detail, { id: 40 })
    const second = controller.read(endpoint).data!
    expect(second.flatMap((member, at) => (member === first[at] ? [] : [at]))).toEqual([40])
    expect(second[40]!.author).toBe(first[40]!.author)
    expect(second[40]!.contributors).toBe(first[40]!.contributors)
  })

  test('a Query is not run after a change of what it does not read, nor for arguments made anew (C)', async () => {
    const controller = new Controller()
    const run = vi.fn((users: User[], { name }: { name: string }) =>
      users.filter((user) => user.name === name),
    )
    const named = new Query(new schema.All(User), run)
    controller.set(User, { id: 1 }, { name: 'Ann' })
    const first = controller.read(named, { name: 'Ann' }).data
    controller.set(Article, { id: 1 }, { title: 'changed' })
    expect(controller.read(named, { name: 'Ann' }).data).toBe(first)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('a list that an unchanged answer replaces looks no record up that stands where it stood (C)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    const payload = () => Array.from({ length: 100 }, (_, id) => article(id))
    answers.push(payload(), payload())
    await controller.fetch(endpoint)
    const lookUps = [...callsOf(controller).store.tables.values()].map(({ nodes }) => vi.spyOn(nodes, 'get'))
    await controller.fetch(endpoint)
    expect(lookUps.flatMap(({ mock }) => mock.calls)).toEqual([])
  })

  test('a change that is undone before anyone reads renews nothing (G2)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push([article(1), article(2)])
    const first = await controller.fetch(endpoint)
    controller.set(User, { id: 1 }, { name: 'Other' })
    controller.set(User, { id: 1 }, { name: 'Ann' })
    expect(controller.read(endpoint).data).toBe(first)
  })

  test('a nested list keeps its identity while its members do', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push([article(1, { contributors: [{ id: 5 }, { id: 6 }] })])
    const [first] = await controller.fetch(endpoint)
    controller.set(Article, { id: 1 }, { title: 'changed' })
    const [second] = controller.read(endpoint).data!
    expect(second).not.toBe(first)
    expect(second!.contributors).toBe(first!.contributors)
  })

  test('a serialized field is one object until it changes (S25)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push([article(1, { createdAt: '2026-01-02T03:04:05Z' })])
    const [first] = await controller.fetch(endpoint)
    controller.set(Article, { id: 1 }, { title: 'changed' })
    const [second] = controller.read(endpoint).data!
    expect(second!.createdAt).toBe(first!.createdAt)
    expect(second!.createdAt).toEqual(new Date('2026-01-02T03:04:05Z'))
  })
})

describe('the selfsame record', () => {
  test('is one object through a list, a detail read and a nested field (G1)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push([article(1), article(2)])
    const user = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'user',
      schema: User,
    })
    const [one, two] = await controller.fetch(endpoint)
    expect(one!.author).toBeInstanceOf(User)
    expect(one!.author).toBe(two!.author)
    expect(controller.read(user, { id: 1 }).data).toBe(one!.author)
    expect(controller.get(User, { id: '1' })).toBe(one!.author)
    expect(await controller.fetch(user, { id: 1 })).toBe(one!.author)
  })

  test('closes cycles, of any length, however they are entered (S16)', async () => {
    class Node_ extends Entity {
      id = 0
      next: Node_ | undefined
      static override key = 'Node'
    }
    Node_.schema = { next: Node_ }
    const controller = new Controller()
    const size = 10_000
    const chain = Array.from({ length: size }, (_, id) => ({ id, next: (id + 1) % size }))
    const list = new Endpoint(() => Promise.resolve(chain), { name: 'ring', schema: [Node_] })
    const nodes = await controller.fetch(list)
    expect(nodes[0]!.next).toBe(nodes[1])
    expect(nodes[size - 1]!.next).toBe(nodes[0])
    const again = new Controller()
    await again.fetch(list)
    expect(again.get(Node_, { id: 7 })!.next!.next!.id).toBe(9)
  })

  test('is read deeply nested, without a limit (S16)', async () => {
    class Deep extends Entity {
      id = 0
      child: Deep | undefined
      static override key = 'Deep'
    }
    Deep.schema = { child: Deep }
    let payload: object = { id: 20_000 }
    for (let id = 19_999; id >= 0; id--) payload = { id, child: payload }
    const controller = new Controller()
    let deep: Deep | undefined = await controller.fetch(
      new Endpoint(() => Promise.resolve(payload), { name: 'deep', schema: Deep }),
    )
    let depth = 0
    for (; deep?.child !== undefined; deep = deep.child) depth++
    expect(depth).toBe(20_000)
  })

  test('arrives after what refers to it, and its readers are told (S13)', async () => {
    const controller = new Controller()
    const { endpoint, answers } = listEndpoint()
    answers.push([{ id: 1, title: 'A', author: 9 }])
    const [before] = await controller.fetch(endpoint)
    expect(before!.author).toBe(undefined)
    const listener = vi.fn()
    controller.subscribe(endpoint, listener)
    controller.set(User, { id: 9 }, { name: 'Late' })
    expect(listener).toHaveBeenCalledTimes(1)
    expect(controller.read(endpoint).data![0]!.author!.name).toBe('Late')
  })

  test('is read through the class that reads, and a summary wipes nothing (S14)', async () => {
    const controller = new Controller()
    const detail = new Endpoint(
      ({ id }: { id: number }) => Promise.resolve(article(id, { content: 'long' })),
      {
        name: 'detail',
        schema: Article,
      },
    )
    const summaries = new Endpoint(() => Promise.resolve([{ id: 1, title: 'Shorter', author: 1 }]), {
      name: 'summaries',
      schema: [ArticleSummary],
    })
    await controller.fetch(detail, { id: 1 })
    const [summary] = await controller.fetch(summaries)
    expect(summary).toBeInstanceOf(ArticleSummary)
    const full = controller.read(detail, { id: 1 }).data!
    expect(full).toBeInstanceOf(Article)
    expect([full.title, full.content, full.author!.name]).toEqual(['Shorter', 'long', 'Ann'])
    // The summary class declares no schema for the field, so it shows the primary key.
    expect((summary as unknown as { author: unknown }).author).toBe('1')
  })

  test('a summary first, then the full class: what the summary took as data is joined', async () => {
    const controller = new Controller()
    const summaries = new Endpoint(
      () => Promise.resolve([{ id: 1, title: 'A', author: { id: 3, name: 'Cy' } }]),
      {
        name: 'summaries',
        schema: [ArticleSummary],
      },
    )
    await controller.fetch(summaries)
    const full = controller.get(Article, { id: 1 })!
    expect(full.author).toBeInstanceOf(User)
    expect(full.author).toBe(controller.get(User, { id: 3 }))
  })
})

describe('a Query over all records of a class, in a field of that class', () => {
  const process = vi.fn((all: readonly Part[]) => all.filter(({ kind }) => kind === 'a').length)
  class Part extends Entity {
    id = 0
    kind = ''
    alike = 0
    static override key = 'Part'
  }
  Part.schema = { alike: new Query(new schema.All(Part), process) }
  const list = new Endpoint((): Promise<object[]> => Promise.resolve([]), { name: 'parts', schema: [Part] })
  const parts = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, kind: 'a', alike: [] }))
  const alikeOf = (all: readonly Part[] | undefined) => [...new Set(all?.map(({ alike }) => alike))]

  // More records than the stack could hold, if each Query waited for the next.
  test.each([3, 1000])('sees all %i of them, with their fields, at its first run', (count) => {
    for (const read of [
      (controller: Controller) => controller.read(list).data,
      (controller: Controller) => controller.get(new Query(new schema.All(Part))),
    ]) {
      const controller = new Controller()
      process.mockClear()
      controller.setResponse(list, parts(count))
      expect(alikeOf(read(controller))).toEqual([count])
      expect(process).toHaveBeenCalledTimes(count)
      controller.setResponse(list, parts(count + 1))
      expect(alikeOf(read(controller))).toEqual([count + 1])
    }
  })

  test('recovers from an error of its function when its records change', () => {
    const controller = new Controller()
    controller.setResponse(list, parts(3))
    process.mockImplementationOnce(() => {
      throw new Error('of the application')
    })
    const all = new Query(new schema.All(Part))
    expect(() => controller.get(all)).toThrow('of the application')
    expect(() => controller.get(all)).toThrow('of the application')
    controller.setResponse(list, parts(4))
    expect(alikeOf(controller.get(all))).toEqual([4])
  })
})

describe('a Query whose function throws', () => {
  class Part extends Entity {
    id = 0
    title = ''
    static override key = 'Titled part'
  }

  test('runs once for a Query of it, and tells a subscriber whose first read failed', () => {
    const controller = new Controller()
    controller.set(Part, { id: 1 }, { title: 'bad' })
    let runs = 0
    const parts = new Query(new schema.All(Part), (all) => {
      runs++
      if (all.some(({ title }) => title === 'bad')) throw new Error('bad')
      return all
    })
    const count = new Query(parts, (all) => all.length)
    const told = vi.fn()
    const end = controller.subscribe(count, told)
    for (let read = 0; read < 3; read++) expect(() => controller.get(count)).toThrow('bad')
    expect(runs).toBe(1)
    controller.set(Part, { id: 1 }, { title: 'good' })
    expect(told).toHaveBeenCalled()
    expect(controller.get(count)).toBe(1)
    end()
  })
})
