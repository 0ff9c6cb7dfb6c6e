import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsOf } from '../controller/calls.js'
import { Controller, Endpoint, Entity, Query, schema } from '../index.js'
import { from } from '../maintained.js'
import { optimistic } from '../optimistic.js'
import { beginRun } from '../store/garbage/gc-run.js'

class User extends Entity {
  id = 0
  name = 'a'
  static override key = 'User'
}

class Issue extends Entity {
  id: number | string = 0
  state = 'open'
  votes: number | null = 0
  owner: User | undefined
  static override key = 'Issue'
  static override schema = { owner: User }
}

class Comment extends Entity {
  id = 0
  issueId = 0
  static override key = 'Comment'
}

const issueList = new schema.Collection([Issue])
const getIssues = new Endpoint(async (_params: { page: number }): Promise<object[]> => [], {
  name: 'getIssues',
  schema: issueList,
})

interface Args {
  readonly state?: string
  readonly name?: string
}

const byVotes = (a: Issue, b: Issue) => Number(b.votes) - Number(a.votes)
const nameOf = (issue: Issue) => issue.owner?.name ?? '-'
const isNamed = (issue: Issue, { name }: Args) => name === undefined || issue.owner?.name === name
const half = new Query(new schema.All(Issue), (issues) => issues.filter(({ id }) => Number(id) % 2 === 0))

/** A maintained query, and what it has to show, computed in another way. */
interface Case {
  readonly query: Query<never, never, unknown>
  readonly args: readonly object[]
  readonly source: 'all' | 'list' | 'half' | 'comments'
  readonly expected: (issues: readonly Issue[], comments: readonly Comment[]) => unknown
}

const all = from(Issue)
const named = all.where(isNamed)
const ordered = all.where('state').orderBy(byVotes)
const grouped = named.groupBy('state')
const list = from(getIssues.schema)

function byKey<Value>(
  issues: readonly Issue[],
  keyOf: (issue: Issue) => unknown,
  use: (of: Issue[]) => Value,
) {
  const groups = new Map<unknown, Issue[]>()
  for (const issue of issues) groups.set(keyOf(issue), [...(groups.get(keyOf(issue)) ?? []), issue])
  return [...groups].map(
    ([key, of]) => use(of) as Value & { key: unknown } & { of: (typeof key)[] },
  ) as Value[]
}

const votesOf = (issues: readonly Issue[]) => issues.flatMap(({ votes }) => (votes === null ? [] : votes))
const open = (issues: readonly Issue[]) => issues.filter(({ state }) => state === 'open')
const sorted = (issues: readonly Issue[]) => [...issues].sort(byVotes)

const cases: readonly Case[] = (
  [
    [all, [], 'all', (issues) => issues],
    [all.where({ state: 'open' }), [], 'all', open],
    [named, [{ name: 'a' }], 'all', (issues) => issues.filter((issue) => nameOf(issue) === 'a')],
    [ordered, [{ state: 'open' }], 'all', (issues) => sorted(open(issues))],
    [ordered, [{}], 'all', sorted],
    [ordered.offset(1).limit(2), [{}], 'all', (issues) => sorted(issues).slice(1, 3)],
    [
      all.orderBy('votes').orderBy('state', 'descending'),
      [],
      'all',
      (issues) =>
        [...issues].sort((a, b) => (a.votes ?? 99) - (b.votes ?? 99) || b.state.localeCompare(a.state)),
    ],
    [
      from(ordered.limit(3)).where(isNamed).orderBy('state'),
      [{ name: 'a' }],
      'all',
      (issues) =>
        sorted(issues)
          .slice(0, 3)
          .filter((issue) => nameOf(issue) === 'a')
          .sort((a, b) => a.state.localeCompare(b.state)),
    ],
    [
      grouped,
      [{}],
      'all',
      (issues) =>
        byKey(
          issues,
          ({ state }) => state,
          (members) => ({ key: members[0]!.state, members }),
        ),
    ],
    [
      grouped.sum('votes'),
      [{}],
      'all',
      (issues) =>
        byKey(
          issues,
          ({ state }) => state,
          (of) => ({
            key: of[0]!.state,
            value: votesOf(of).reduce((sum, votes) => sum + votes, 0),
          }),
        ),
    ],
    [
      all.orderBy(byVotes).groupBy(nameOf).first(),
      [],
      'all',
      (issues) => byKey(sorted(issues), nameOf, (of) => ({ key: nameOf(of[0]!), value: of[0]! })),
    ],
    [all.count(), [], 'all', (issues) => issues.length],
    [named.sum('votes'), [{}], 'all', (issues) => votesOf(issues).reduce((sum, votes) => sum + votes, 0)],
    [
      all.min('votes'),
      [],
      'all',
      (issues) => (votesOf(issues).length === 0 ? undefined : Math.min(...votesOf(issues))),
    ],
    [
      all.max(({ votes }) => votes),
      [],
      'all',
      (issues) => (votesOf(issues).length === 0 ? undefined : Math.max(...votesOf(issues))),
    ],
    [ordered.first(), [{}], 'all', (issues) => sorted(issues)[0]],
    [
      all.where({ state: 'open' }).with(Comment, 'issueId'),
      [],
      'all',
      (issues, comments) =>
        open(issues).map((issue) => [issue, comments.filter(({ issueId }) => issueId === Number(issue.id))]),
    ],
    [
      all.with(Comment, 'issueId').where(([, { length }]) => length > 0),
      [],
      'all',
      (issues, comments) =>
        issues
          .map((issue) => [issue, comments.filter(({ issueId }) => issueId === Number(issue.id))] as const)
          .filter(([, { length }]) => length > 0),
    ],
    [list, [{ page: 1 }], 'list', (issues) => issues],
    [
      list.where({ state: 'open' }).orderBy('votes'),
      [{ page: 1 }],
      'list',
      (issues) => open(issues).sort((a, b) => (a.votes ?? 99) - (b.votes ?? 99)),
    ],
    [
      list.groupBy('state').count(),
      [{ page: 1 }],
      'list',
      (issues) =>
        byKey(
          issues,
          ({ state }) => state,
          (of) => ({ key: of[0]!.state, value: of.length }),
        ),
    ],
    [from(half).where({ state: 'open' }), [], 'half', open],
    // Records without others in their fields are linked once they are written.
    [
      from(Comment).where({ issueId: 1 }),
      [],
      'comments',
      (_, comments) => comments.filter(({ issueId }) => issueId === 1),
    ],
    [
      from(Comment)
        .where(({ issueId }) => issueId > 2)
        .orderBy('issueId', 'descending'),
      [],
      'comments',
      (_, comments) => comments.filter(({ issueId }) => issueId > 2).sort((a, b) => b.issueId - a.issueId),
    ],
    [
      from(Comment).groupBy('issueId').count(),
      [],
      'comments',
      (_, comments) =>
        [...new Set(comments.map(({ issueId }) => issueId))].map((key) => ({
          key,
          value: comments.filter(({ issueId }) => issueId === key).length,
        })),
    ],
  ] as const satisfies readonly (readonly [unknown, readonly object[], Case['source'], Case['expected']])[]
).map(([query, args, source, expected]) => ({ query: query as never, args, source, expected }))

const id = fc.integer({ min: 1, max: 6 })
const fields = fc.record(
  {
    state: fc.constantFrom('open', 'closed'),
    votes: fc.constantFrom(0, 1, 2, 0.5, null),
    owner: fc.record({ id: fc.constantFrom(1, 2), name: fc.constantFrom('a', 'b') }),
  },
  { requiredKeys: [] },
)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('set' as const), id, fields }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), id }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('comment' as const), id, issueId: id }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('all' as const), issues: fc.array(id, { maxLength: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      issues: fc.uniqueArray(id, { maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('push' as const), id: fc.integer({ min: 7, max: 9 }), fields }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('mutate' as const), id, fields }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('mutateComment' as const), id, issueId: id }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'noComments' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('create' as const), fields }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('settle' as const),
      isLast: fc.boolean(),
      isFailed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'user' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'garbage' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
)

/** Mutations that the test answers. */
function makeMutations() {
  const waiting: { settle: (isFailed: boolean) => void; answer: object }[] = []
  const wait = (answer: object) =>
    new Promise<unknown>((resolve, reject) =>
      waiting.push({
        answer,
        settle: (isFailed) => (isFailed ? reject(new Error('refused')) : resolve(answer)),
      }),
    )
  let created = 100
  const save = new Endpoint((params: { id: number }, body: object) => wait({ ...params, ...body }), {
    name: 'save',
    sideEffect: true,
    schema: Issue,
    getOptimisticResponse: optimistic((_, params: { id: number }, body: object) => ({ ...params, ...body })),
  })
  const saveComment = new Endpoint((params: { id: number }, body: object) => wait({ ...params, ...body }), {
    name: 'saveComment',
    sideEffect: true,
    schema: Comment,
    getOptimisticResponse: optimistic((_, params: { id: number }, body: object) => ({ ...params, ...body })),
  })
  const create = new Endpoint((body: object) => wait({ id: ++created, ...body }), {
    name: 'create',
    sideEffect: true,
    schema: getIssues.schema.push,
    getOptimisticResponse: optimistic(({ temporaryId }, body: object) => ({ id: temporaryId, ...body })),
  })
  const remove = new Endpoint((params: { id: number }) => wait(params), {
    name: 'remove',
    sideEffect: true,
    schema: new schema.Delete(Issue),
    getOptimisticResponse: optimistic((_, params: { id: number }) => params),
  })
  return { waiting, save, saveComment, create, remove }
}

/** Checks that what did not change is the same object. */
function expectKept(before: unknown, now: unknown): void {
  if (before === now || !Array.isArray(before) || !Array.isArray(now)) return
  const isKept = before.length === now.length && before.every((item, index) => item === now[index])
  expect(isKept, 'a list whose members are the same is the same').toBe(false)
  for (const item of now as unknown[]) {
    const earlier = (before as unknown[]).find((other) => isSameContent(other, item))
    if (earlier !== undefined) expect(item).toBe(earlier)
  }
}

function isSameContent(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => item === b[index] || isSameLists(item, b[index]))
  if (typeof a !== 'object' || typeof b !== 'object' || a instanceof Entity || a === null || b === null)
    return false
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return Object.keys(x).every((name) => Object.is(x[name], y[name]) || isSameLists(x[name], y[name]))
}

function isSameLists(a: unknown, b: unknown): boolean {
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((item, index) => item === b[index])
  )
}

const scenario = fc.record({
  steps: fc.array(fc.record({ step, isRead: fc.boolean() }), { minLength: 1, maxLength: 14 }),
  isEachRead: fc.boolean(),
  read: fc.subarray([...cases.keys()], { minLength: 1 }),
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const mutate = (id: number, state: 'open' | 'closed'): Step => ({ type: 'mutate', id, fields: { state } })

/** What earlier runs found: each showed another object than before an optimistic update. */
const found = (
  [
    // A list, after a read in the midst of taking an update back.
    [
      [mutate(1, 'open'), { type: 'list', issues: [1] }, { type: 'set', id: 2, fields: {} }],
      [4, 24],
    ],
    // The row of a member that went and came back.
    [
      [{ type: 'all', issues: [2] }, mutate(2, 'closed'), { type: 'create', fields: {} }],
      [16, 24],
    ],
    // A group, after several updates of it.
    [
      [
        { type: 'set', id: 2, fields: {} },
        { type: 'mutate', id: 1, fields: {} },
        { type: 'remove', id: 2 },
        mutate(1, 'closed'),
      ],
      [8, 23],
    ],
  ] satisfies [Step[], number[]][]
).map(([steps, read]): [typeof scenario extends fc.Arbitrary<infer Value> ? Value : never] => [
  { steps: steps.map((each) => ({ step: each, isRead: false })), isEachRead: true, read },
])

test('maintained equals computed anew, and what may stay has stayed', async () => {
  const property = fc.asyncProperty(scenario, async ({ steps, read, isEachRead }) => {
    const controller = new Controller()
    const { waiting, save, saveComment, create, remove } = makeMutations()
    const last = new Map<Case, unknown>()
    const sources = {
      all: new Query(new schema.All(Issue)),
      list: getIssues.schema,
      half,
      comments: new Query(new schema.All(Comment)),
    }
    const check = () => {
      for (const index of read) {
        const each = cases[index]!
        const found = controller.get(each.query as never, ...(each.args as never))
        const issues = controller.get(sources[each.source] as typeof sources.list, { page: 1 }) as
          Issue[] | undefined
        const comments = controller.get(new schema.All(Comment)) ?? []
        const expected = issues && each.expected(issues, comments)
        expect(found).toEqual(expected)
        expectSelfsame(found, expected)
        // Where a state was not read, nobody had its objects.
        if (isEachRead) expectKept(last.get(each), found)
        last.set(each, found)
      }
    }
    const perform = async (of: (typeof steps)[number]['step']) => {
      switch (of.type) {
        case 'set':
          return controller.set(Issue, { id: of.id }, of.fields as object)
        case 'delete':
          return controller.set(new schema.Delete(Issue), { id: of.id }, {})
        case 'comment':
          return controller.set(Comment, { id: of.id }, { issueId: of.issueId })
        case 'all':
          return controller.set(
            new schema.All(Issue),
            {},
            of.issues.map((each) => ({ id: each })),
          )
        case 'list':
          return controller.setResponse(
            getIssues,
            { page: 1 },
            of.issues.map((each) => ({ id: each })),
          )
        case 'push':
          return controller.set(getIssues.schema.push, { page: 1 }, { id: of.id, ...of.fields })
        case 'user':
          return controller.set(User, { id: 1 }, (user) => ({ name: user?.name === 'a' ? 'b' : 'a' }))
        case 'mutate':
          return void controller.fetch(save, { id: of.id }, of.fields).catch(() => {})
        case 'mutateComment':
          return void controller.fetch(saveComment, { id: of.id }, { issueId: of.issueId }).catch(() => {})
        case 'noComments':
          return controller.set(new schema.All(Comment), {}, [])
        case 'create':
          return void controller.fetch(create, of.fields).catch(() => {})
        case 'remove':
          return void controller.fetch(remove, { id: of.id }).catch(() => {})
        case 'settle': {
          const next = of.isLast ? waiting.pop() : waiting.shift()
          next?.settle(of.isFailed)
          return new Promise((resolve) => setImmediate(resolve))
        }
        case 'garbage': {
          const { store } = callsOf(controller)
          const run = beginRun(store, { now: 0, keepSince: Infinity, maxRecords: Infinity })
          while (!run.work(1000)) {
            // Until it is complete.
          }
          return last.clear()
        }
        case 'reset':
          await controller.resetAll()
          waiting.length = 0
      }
    }
    for (const { step: of, isRead } of steps) {
      await perform(of)
      if (isRead || isEachRead) check()
    }
    check()
    // Failed mutations leave nothing, and readers have the objects of before.
    for (const each of waiting.splice(0)) {
      each.settle(true)
      await new Promise((resolve) => setImmediate(resolve))
      check()
    }
    controller.dispose()
  })
  await fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 300), examples: found })
}, 120_000)

/** Checks that a value shows the objects that others show. */
function expectSelfsame(found: unknown, expected: unknown): void {
  if (found instanceof Entity) return expect(found).toBe(expected)
  if (typeof found !== 'object' || found === null) return
  for (const name of Object.keys(found))
    expectSelfsame((found as Record<string, unknown>)[name], (expected as Record<string, unknown>)[name])
}
