import { describe, expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'
import { order, rule } from '../rules.js'

class Issue extends Entity {
  id = 0
  state = ''
  team = ''
  rank = 0
  static override key = 'Issue'
}

type Row = Pick<Issue, 'id' | 'state' | 'team' | 'rank'>
type Where = Partial<Pick<Row, 'state' | 'team'>> & { limit?: number; cursor?: number }
type Edit = Partial<Row>

const lists: readonly Where[] = [
  {},
  ...['todo', 'doing', 'done'].map((state) => ({ state })),
  { team: 'a' },
  { team: 'b' },
  { state: 'doing', team: 'a' },
  { state: 'doing', team: 'b' },
]

/** A server that carries out mutations in the order in which the test lets it, and answers them at once. */
class Server {
  readonly rows = new Map<number, Row>()
  readonly asked: string[] = []
  readonly #held: (() => void)[] = []

  constructor(...rows: Row[]) {
    for (const row of rows) this.rows.set(row.id, row)
  }

  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url)
    const method = init?.method ?? 'GET'
    if (method === 'GET') {
      this.asked.push(searchParams.toString())
      return Response.json(this.list(Object.fromEntries(searchParams)))
    }
    await new Promise<void>((resolve) => this.#held.push(resolve))
    const body = (typeof init?.body === 'string' ? JSON.parse(init.body) : {}) as Edit
    const id = Number(pathname.split('/')[2] ?? body.id)
    if (method === 'DELETE') {
      this.rows.delete(id)
      return new Response(null, { status: 204 })
    }
    const known = method === 'PATCH' ? this.rows.get(id) : undefined
    if (method === 'PATCH' && known === undefined) return new Response(null, { status: 404 })
    const row = { id, state: 'todo', team: 'a', rank: 0, ...known, ...body }
    this.rows.set(id, row)
    return Response.json(row)
  }

  /** Carries out a held mutation. @param index - its place in the order in which they were sent */
  async carryOut(index: number): Promise<void> {
    this.#held[index]?.()
    await settled()
  }

  list({ state, team, limit, cursor = 0 }: Where): Row[] {
    return [...this.rows.values()]
      .filter((row) => (state ?? row.state) === row.state && (team ?? row.team) === row.team)
      .sort((a, b) => a.rank - b.rank)
      .slice(Number(cursor), limit === undefined ? undefined : Number(cursor) + Number(limit))
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

const first: Row = { id: 1, state: 'todo', team: 'a', rank: 1 }
const other: Row = { id: 2, state: 'doing', team: 'a', rank: 2 }
const third: Row = { id: 3, state: 'done', team: 'b', rank: 3 }

const byRule = rule(
  (issue: Issue, where: Where) =>
    (where.state ?? issue.state) === issue.state && (where.team ?? issue.team) === issue.team,
)

async function setUp(options: object, wheres: readonly Where[] = lists) {
  const server = new Server({ ...first }, { ...other }, { ...third })
  const issues = createResource({
    urlPrefix: 'http://server.test',
    path: '/issues/:id',
    searchParams: {} as Where | undefined,
    schema: Issue,
    ...options,
  })
  const controller = new Controller({ fetch: server.fetch as typeof fetch })
  for (const where of wheres) await controller.fetch(issues.getList, where)
  server.asked.length = 0
  /** Fetches what is Stale, as the readers on screen do, and compares each list with the server's. */
  const expectTruth = async () => {
    for (const where of wheres) await controller.fetchIfStale(issues.getList, where)
    for (const where of wheres) {
      const { data, status } = controller.read(issues.getList, where)
      const rows = (data ?? []).map(({ id, state, team }) => ({ id, state, team }))
      const truth = server.list(where).map(({ id, state, team }) => ({ id, state, team }))
      const sorted = (all: typeof rows) => all.toSorted((a, b) => a.id - b.id)
      expect({ where, status, rows: sorted(rows) }).toEqual({ where, status: 'Valid', rows: sorted(truth) })
    }
  }
  return { server, issues, controller, expectTruth }
}

type Setting = Awaited<ReturnType<typeof setUp>>

const patch = (body: Edit) => ({
  name: `PATCH ${JSON.stringify(body)}`,
  send: ({ controller, issues }: Setting) => controller.fetch(issues.partialUpdate, { id: 1 }, body),
})
const put = (body: Edit) => ({
  name: `PUT ${JSON.stringify(body)}`,
  send: ({ controller, issues }: Setting) =>
    controller.fetch(issues.update, { id: 1 }, { ...first, ...body }),
})
const move = (body: Edit) => ({
  name: `move ${JSON.stringify(body)}`,
  send: ({ controller, issues }: Setting) => controller.fetch(issues.getList.move, { id: 1 }, body as never),
})
const create = (body: Edit) => ({
  name: `POST ${JSON.stringify(body)}`,
  send: ({ controller, issues }: Setting) => controller.fetch(issues.create, { ...first, ...body }),
})
const remove = {
  name: 'DELETE',
  send: ({ controller, issues }: Setting) => controller.fetch(issues.delete, { id: 1 }),
}

describe.each([
  ['shown at once', { optimistic }],
  ['shown when they are answered', {}],
])(
  'mutations %s that the server carries out in reverse: each list on screen becomes the server’s',
  (_, early) => {
    describe.each([
      ['', {}],
      [', with an order', { orderBy: order('rank') }],
      [', by a rule', { filter: byRule }],
      [', by a rule with an order', { filter: byRule, orderBy: order('rank') }],
    ])('lists by argument%s', (_name, rules) => {
      test.each(
        [
          [patch({ state: 'doing' }), patch({ state: 'done' })],
          [put({ state: 'doing' }), patch({ state: 'done' })],
          [patch({ state: 'doing' }), put({ state: 'done' })],
          [put({ state: 'doing' }), put({ state: 'done', team: 'b' })],
          [move({ state: 'doing' }), move({ state: 'done' })],
          [create({ state: 'doing' }), patch({ state: 'done' })],
          [create({ state: 'doing' }), create({ state: 'done', team: 'b' })],
          [patch({ state: 'doing', team: 'b' }), patch({ state: 'done' })],
          [patch({ state: 'doing' }), patch({ state: 'done', team: 'b' })],
          [patch({ state: 'doing' }), patch({ state: 'todo' })],
          [patch({ state: 'doing' }), patch({ state: 'done' }), patch({ team: 'b' })],
          [patch({ state: 'doing' }), patch({ team: 'b' }), patch({ state: 'done' })],
          [patch({ state: 'doing' }), patch({ state: 'todo' }), patch({ state: 'done' })],
          [put({ state: 'doing' }), remove],
          [remove, put({ state: 'doing' })],
          [create({ state: 'doing' }), remove],
          [remove, create({ state: 'doing' })],
          [create({ state: 'doing' }), remove, create({ state: 'done', team: 'b' })],
        ].map((all) => [all.map(({ name }) => name).join(', '), all] as const),
      )('%s', async (_names, mutations) => {
        const setting = await setUp({ ...early, ...rules })
        const { server, expectTruth } = setting
        const sent = mutations.map(({ send }) => send(setting))
        await settled()
        for (const [index] of [...mutations.entries()].toReversed()) await server.carryOut(index)
        await Promise.all(sent)
        await expectTruth()
      })
    })

    test('a `set` overrules the answer', async () => {
      const setting = await setUp({ ...early, filter: byRule })
      const { server, controller, expectTruth } = setting
      const sent = patch({ state: 'doing' }).send(setting)
      await settled()
      controller.set(Issue, { id: 1 }, { id: 1, state: 'done' })
      await server.carryOut(0)
      await sent
      await expectTruth()
    })

    test('a part of a longer list', async () => {
      const parts = ['todo', 'doing', 'done'].flatMap((state) => [
        { state, limit: 1 },
        { state, cursor: 1, limit: 1 },
      ])
      const arg = { nonFilterArgumentKeys: ['limit', 'cursor'] }
      const setting = await setUp({ ...early, orderBy: order('rank'), ...arg }, parts)
      const { server, expectTruth } = setting
      const sent = ['doing', 'done'].map((state) => patch({ state }).send(setting))
      await settled()
      await server.carryOut(1)
      await server.carryOut(0)
      await Promise.all(sent)
      await expectTruth()
    })
  },
)

test('only the lists of which the answers say something are asked for again', async () => {
  const setting = await setUp({})
  const { server, expectTruth } = setting
  const sent = ['doing', 'done'].map((state) => patch({ state, rank: 1 }).send(setting))
  await settled()
  await server.carryOut(1)
  for (const where of lists) setting.controller.read(setting.issues.getList, where)
  await server.carryOut(0)
  await Promise.all(sent)
  await expectTruth()
  expect(server.asked.toSorted()).toEqual(['', 'state=doing', 'state=doing&team=a', 'state=done', 'team=a'])
})

test('mutations that the server carries out in the order of their start ask for nothing', async () => {
  const setting = await setUp({})
  const { server, expectTruth } = setting
  const sent = ['doing', 'done'].map((state) => patch({ state }).send(setting))
  await settled()
  await server.carryOut(0)
  await server.carryOut(1)
  await Promise.all(sent)
  await expectTruth()
  expect(server.asked).toEqual([])
})
