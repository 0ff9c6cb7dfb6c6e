import { expect, test, vi } from 'vitest'
import { Controller, Endpoint, Entity, schema } from '../index.js'
import { callsOf } from '../controller/calls.js'
import { Inspector } from '../inspect.js'
import { from } from '../maintained.js'
import { optimistic } from '../optimistic.js'
import { beginRun } from '../store/garbage/gc-run.js'
import { viewsOf } from '../store/records.js'
import { viewsIn } from '../store/view/view.js'
import { ExactSum } from './exact-sum.js'

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Issue extends Entity {
  id = 0
  title = ''
  state = 'open'
  votes = 0
  owner: User | undefined
  static override key = 'Issue'
  static override schema = { owner: User }
}

class Comment extends Entity {
  id = 0
  issueId = 0
  text = ''
  static override key = 'Comment'
}

function issuesIn(controller: Controller, count: number) {
  controller.set(
    new schema.All(Issue),
    {},
    Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      title: `Issue ${index + 1}`,
      state: index % 2 === 0 ? 'open' : 'closed',
      votes: index % 10,
      owner: { id: 1 + (index % 3), name: `User ${1 + (index % 3)}` },
    })),
  )
}

const ids = (issues: readonly { readonly id: number }[] | undefined) => issues?.map(({ id }) => id)

test('is undefined until something is known, then a list of the records that pass, in order', () => {
  const controller = new Controller()
  const open = from(Issue).where({ state: 'open' }).orderBy('votes', 'descending')
  expect(controller.get(open)).toBeUndefined()
  issuesIn(controller, 6)
  expect(ids(controller.get(open))).toEqual([5, 3, 1])
  expect(controller.get(open)).toBe(controller.get(open))
  expect(controller.get(open)![0]).toBe(controller.get(Issue, { id: 5 }))
  expect(Object.isFrozen(controller.get(open))).toBe(true)
})

test('a change of one record calls the test once, and keeps the others', () => {
  const controller = new Controller()
  issuesIn(controller, 1000)
  const isWanted = vi.fn((issue: Issue) => issue.votes > 4)
  const popular = from(Issue).where(isWanted).orderBy('title')
  const before = controller.get(popular)!
  expect(isWanted).toHaveBeenCalledTimes(1000)
  isWanted.mockClear()
  controller.set(Issue, {}, { id: 1, votes: 9 })
  const after = controller.get(popular)!
  expect(isWanted).toHaveBeenCalledTimes(1)
  expect(after).toHaveLength(before.length + 1)
  expect(after.filter((issue) => !before.includes(issue))).toEqual([controller.get(Issue, { id: 1 })])
  controller.set(Issue, {}, { id: 1, state: 'closed' })
  expect(controller.get(popular)).toHaveLength(after.length)
  expect(isWanted).toHaveBeenCalledTimes(1)
  // What is not in the list does not change it.
  const shown = controller.get(popular)
  controller.set(Issue, {}, { id: 2, state: 'open' })
  expect(controller.get(popular)).toBe(shown)
  expect(isWanted).toHaveBeenCalledTimes(1)
})

test('groups, totals and rows', () => {
  const controller = new Controller()
  issuesIn(controller, 6)
  controller.set(new schema.All(Comment), {}, [
    { id: 1, issueId: 1, text: 'a' },
    { id: 2, issueId: 3, text: 'b' },
    { id: 3, issueId: 1, text: 'c' },
  ])
  const issues = from(Issue)
  const groups = issues.groupBy('state')
  expect(controller.get(groups)!.map(({ key, members }) => [key, ids(members)])).toEqual([
    ['open', [1, 3, 5]],
    ['closed', [2, 4, 6]],
  ])
  expect(controller.get(groups.count())).toEqual([
    { key: 'open', value: 3 },
    { key: 'closed', value: 3 },
  ])
  expect(controller.get(issues.count())).toBe(6)
  expect(controller.get(issues.sum('votes'))).toBe(15)
  expect(controller.get(issues.min('votes'))).toBe(0)
  expect(controller.get(issues.max((issue) => issue.votes * 2))).toBe(10)
  expect(controller.get(issues.orderBy('id', 'descending').first())).toBe(controller.get(Issue, { id: 6 }))
  const rows = issues.where({ state: 'open' }).with(Comment, 'issueId')
  const before = controller.get(rows)!
  expect(before.map(([issue, comments]) => [issue.id, ids(comments)])).toEqual([
    [1, [1, 3]],
    [3, [2]],
    [5, []],
  ])
  const [, closed] = controller.get(groups)!
  controller.set(Comment, {}, { id: 4, issueId: 5, text: 'd' })
  controller.set(Issue, {}, { id: 1, state: 'done' })
  const after = controller.get(rows)!
  expect(after.map(([issue, comments]) => [issue.id, ids(comments)])).toEqual([
    [3, [2]],
    [5, [4]],
  ])
  expect(after[0]).toBe(before[1])
  expect(controller.get(groups)!.map(({ key }) => key)).toEqual(['done', 'closed', 'open'])
  expect(controller.get(groups)![1]).toBe(closed)
})

test('a write runs the tests of those of 1,000 queries only whose field has the value', () => {
  const controller = new Controller()
  issuesIn(controller, 2000)
  const test = vi.fn((issue: Issue) => issue.title !== '')
  const ofVotes = from(Issue).where('votes').where(test).orderBy('title')
  const told = vi.fn()
  for (let votes = 0; votes < 1000; votes++) controller.subscribe(ofVotes, { votes }, told)
  for (let votes = 0; votes < 1000; votes++) controller.get(ofVotes, { votes })
  expect(test).toHaveBeenCalledTimes(2000)
  controller.set(Issue, { id: 1 }, { title: 'Other' })
  expect([test.mock.calls.length, told.mock.calls.length]).toEqual([2001, 1])
  controller.set(Issue, { id: 1 }, { votes: 5 })
  expect([test.mock.calls.length, told.mock.calls.length]).toEqual([2002, 3])
  expect(controller.get(ofVotes, { votes: 5 })).toContain(controller.get(Issue, { id: 1 }))
})

test.each([1000, 10_000])('a change among %i records compares a few of them', (count) => {
  const controller = new Controller()
  issuesIn(controller, count)
  let compared = 0
  const byVotes = from(Issue).orderBy((a, b) => {
    compared++
    return a.votes - b.votes
  })
  const top = byVotes.limit(10)
  controller.get(byVotes)
  const before = controller.get(top)
  compared = 0
  controller.set(Issue, { id: 500 }, { title: 'Other' })
  controller.get(byVotes)
  expect(compared).toBe(1)
  controller.set(Issue, { id: 500 }, { votes: 100 })
  expect(controller.get(byVotes)!.at(-1)!.id).toBe(500)
  expect(compared).toBeLessThan(6 * Math.log2(count))
  // What is not among the first changes nothing of them.
  expect(controller.get(top)).toBe(before)
})

test('what nobody reads is dropped by the garbage collector, and is made again', () => {
  const controller = new Controller()
  issuesIn(controller, 10)
  const { store } = callsOf(controller)
  const queries = [
    from(Issue).where({ state: 'open' }),
    from(Issue).groupBy('state').count(),
    from(Issue).with(Comment, 'issueId'),
  ]
  const end = controller.subscribe(queries[0]!, () => {})
  for (const query of queries) controller.get(query)
  const collect = (keepSince: number) => {
    const run = beginRun(store, { now: Infinity, keepSince, maxRecords: Infinity })
    while (!run.work(1000)) {
      // Until it is complete.
    }
  }
  const views = () => [...store.tables.get('Issue')!.nodes.values()].flatMap(viewsOf)
  collect(Infinity)
  // The open ones are kept by the query that is read. They have an owner, so they are linked; nothing else depends on them.
  expect(views()).toHaveLength(5)
  expect(views().map(({ dependents }) => viewsIn(dependents).length)).toEqual([1, 1, 1, 1, 1])
  expect(controller.get(queries[0]!)).toHaveLength(5)
  end()
  issuesIn(controller, 10)
  expect(controller.get(queries[0]!)).toHaveLength(5)
  collect(Infinity)
  expect([views(), store.tables.get('Issue')!.lists.size]).toEqual([[], 0])
  issuesIn(controller, 4)
  expect(controller.get(queries[1]!)).toEqual([
    { key: 'open', value: 2 },
    { key: 'closed', value: 2 },
  ])
})

test('a sum is exact, whatever was among its numbers', () => {
  const numbers = [0.1, 0.2, 0.3, 1e16, -1e16, 0.7, 1e-9]
  const sum = new ExactSum()
  for (const number of numbers) sum.add(number)
  for (const number of numbers.slice(3, 5)) sum.remove(number)
  const other = new ExactSum()
  for (const number of [1e-9, 0.7, 0.3, 0.2, 0.1]) other.add(number)
  expect(sum.value).toBe(other.value)
  sum.add(Infinity)
  expect(sum.value).toBe(Infinity)
  sum.remove(Infinity)
  expect(sum.value).toBe(1.300000001)
})

test('a test may look at a record in any way, and what it looks at is noted', () => {
  class Note extends Entity {
    id = 0
    text = ''
    size = 0
    #secret = 'a'
    get isLong() {
      return this.size > 5
    }
    get isSecret() {
      return this.#secret === 'a'
    }
    static override key = 'Note'
  }
  const looks: [
    string,
    (note: Note) => boolean,
    expectedCalls: { size: number; text: number; extra: number },
  ][] = [
    ['a field', (note) => note.size > 5, { size: 1, text: 0, extra: 1 }],
    ['a getter', (note) => note.isLong, { size: 1, text: 0, extra: 1 }],
    ['a private member', (note) => note.isSecret, { size: 1, text: 1, extra: 1 }],
    ['its names', (note) => Object.keys(note).includes('extra'), { size: 0, text: 0, extra: 1 }],
    ['a name', (note) => 'extra' in note, { size: 0, text: 0, extra: 1 }],
    ['a copy', (note) => ({ ...note }).size > 5, { size: 1, text: 1, extra: 1 }],
    ['its text', (note) => JSON.stringify(note).includes('extra'), { size: 1, text: 1, extra: 1 }],
    ['a field of few', (note) => (note as { extra?: number }).extra === 1, { size: 0, text: 0, extra: 1 }],
  ]
  for (const [name, look, expected] of looks) {
    const controller = new Controller()
    controller.set(new schema.All(Note), {}, [{ id: 1 }, { id: 2, extra: 1 }, { id: 3, size: 9 }])
    const test = vi.fn(look)
    const query = from(Note).where(test)
    const expectRight = () =>
      expect([name, ids(controller.get(query))]).toEqual([
        name,
        [1, 2, 3].filter((id) => look(controller.get(Note, { id }) as Note)),
      ])
    expectRight()
    for (const [field, calls] of Object.entries(expected)) {
      test.mockClear()
      controller.set(Note, { id: 1 }, { [field]: field === 'text' ? 'b' : 7 } as object)
      expectRight()
      // One that throws for the stand-in is called with the records from then on.
      expect([name, field, test.mock.calls.length]).toEqual([name, field, calls])
    }
  }
})

test('records that nothing was read of are not linked until they are written, and come back after an optimistic update', async () => {
  const controller = new Controller()
  controller.set(
    new schema.All(Comment),
    {},
    Array.from({ length: 100 }, (_, index) => ({ id: index + 1, issueId: index % 4 })),
  )
  const ofIssue = from(Comment).where({ issueId: 1 })
  const all = from(Comment).orderBy('text').orderBy('id', 'descending')
  const [before, allBefore] = [controller.get(ofIssue), controller.get(all)]
  const { store } = callsOf(controller)
  const linked = () =>
    [...store.tables.get('Comment')!.nodes.values()]
      .flatMap(viewsOf)
      .filter(({ dependents }) => dependents !== undefined).length
  expect(linked()).toBe(0)
  let refuse: () => void = () => {}
  const save = new Endpoint(
    (_params: { id: number }, _body: object) =>
      new Promise<object>((_resolve, reject) => {
        refuse = () => reject(new Error('refused'))
      }),
    {
      name: 'save',
      sideEffect: true,
      schema: Comment,
      getOptimisticResponse: optimistic((_, params: { id: number }, body: object) => ({
        ...params,
        ...body,
      })),
    },
  )
  const saved = controller.fetch(save, { id: 2 }, { text: 'b' }).catch(() => {})
  expect(linked()).toBe(1)
  expect(controller.get(all)!.at(-1)).toBe(controller.get(Comment, { id: 2 }))
  expect(controller.get(ofIssue)![0]).toMatchObject({ id: 2, text: 'b' })
  refuse()
  await saved
  expect(controller.get(ofIssue)).toBe(before)
  expect(controller.get(all)).toBe(allBefore)
})

test('a window is told of what it shows and of the number of all, and all windows are parts of one list', async () => {
  const controller = new Controller()
  issuesIn(controller, 1000)
  const test = vi.fn((issue: Issue) => issue.state === 'open')
  const rows = from(Issue).where(test).orderBy('id').window()
  const told = vi.fn()
  const end = controller.subscribe(rows, { window: [10, 13] }, told)
  const first = controller.get(rows, { window: [10, 13] })!
  expect([ids(first.items), first.from, first.total]).toEqual([[21, 23, 25], 10, 500])
  expect(Object.isFrozen(first.items)).toBe(true)
  // Another window costs no test.
  expect(ids(controller.get(rows, { window: [499, 600] })!.items)).toEqual([999])
  expect(ids(controller.get(rows, { window: [-3, 1] })!.items)).toEqual([1])
  expect(controller.get(rows, { window: [700, 710] })).toEqual({ items: [], from: 700, total: 500 })
  expect(test).toHaveBeenCalledTimes(1000)
  // Behind the window, and before it without a change of places.
  controller.set(Issue, { id: 501 }, { title: 'Other' })
  controller.set(Issue, { id: 3 }, { title: 'Other' })
  expect(told).toHaveBeenCalledTimes(0)
  expect(controller.get(rows, { window: [10, 13] })).toBe(first)
  controller.set(Issue, { id: 23 }, { title: 'Other' })
  expect(told).toHaveBeenCalledTimes(1)
  const second = controller.get(rows, { window: [10, 13] })!
  expect(second.items[0]).toBe(first.items[0])
  expect(second.items[1]).toMatchObject({ id: 23, title: 'Other' })
  // The number of all, with the same items.
  controller.set(Issue, { id: 501 }, { state: 'closed' })
  expect(told).toHaveBeenCalledTimes(2)
  const third = controller.get(rows, { window: [10, 13] })!
  expect([third.items === second.items, third.total]).toEqual([true, 499])
  controller.set(Issue, { id: 1 }, { state: 'closed' })
  expect(ids(controller.get(rows, { window: [10, 13] })!.items)).toEqual([23, 25, 27])
  end()
})

test('of which fields a test reads may depend on their values: what it reads of one record counts for all', () => {
  class Ticket extends Entity {
    id = 0
    kind = 'bug'
    severity = 0
    votes = 0
    parent = ''
    title = ''
    static override key = 'Ticket'
  }
  // A choice, a condition that is not always reached, and a field whose name another field has.
  const tests: [string, (ticket: Ticket) => boolean][] = [
    ['a choice', ({ kind, ...ticket }) => (kind === 'bug' ? ticket.severity > 3 : ticket.votes > 3)],
    ['a choice of getters', (ticket) => (ticket.kind === 'bug' ? ticket.severity > 3 : ticket.votes > 3)],
    ['a condition behind another', (ticket) => ticket.votes > 3 && ticket.severity > 3],
    ['a name in a field', (ticket) => Number(ticket[ticket.parent as 'votes']) > 3],
  ]
  const tickets = Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    // Only the last record takes the other way, after all have been read.
    kind: index < 59 ? 'bug' : 'wish',
    parent: index < 59 ? 'severity' : 'votes',
    severity: index % 7,
    votes: index % 5,
  }))
  for (const [name, test] of tests) {
    const controller = new Controller()
    controller.set(new schema.All(Ticket), {}, tickets)
    const list = from(Ticket).where(test)
    const groups = from(Ticket).groupBy(test)
    const sum = from(Ticket).sum((ticket) => Number(test(ticket)))
    const expectRight = () => {
      const all = controller.get(new schema.All(Ticket)) as Ticket[]
      const passing = all.filter(test)
      expect([name, ids(controller.get(list)), controller.get(sum)]).toEqual([
        name,
        ids(passing),
        passing.length,
      ])
      const sizes = new Map(controller.get(groups)!.map(({ key, members }) => [key, members.length]))
      expect([sizes.get(true) ?? 0, sizes.get(false) ?? 0]).toEqual([
        passing.length,
        all.length - passing.length,
      ])
    }
    expectRight()
    for (const id of [1, 5, 60]) {
      for (const change of [
        { votes: 4 },
        { severity: 6 },
        { kind: 'wish' },
        { parent: 'votes' },
        { votes: 1 },
        { severity: 0 },
      ]) {
        controller.set(Ticket, { id }, change)
        expectRight()
      }
    }
  }
})

test('a change of a field that no function reads calls none', () => {
  const controller = new Controller()
  issuesIn(controller, 100)
  const isWanted = vi.fn((issue: Issue) => (issue.state === 'open' ? issue.votes > 2 : issue.votes > 6))
  const keyOf = vi.fn((issue: Issue) => issue.state)
  const valueOf = vi.fn((issue: Issue) => issue.votes)
  const list = from(Issue).where(isWanted)
  const first = list.orderBy('votes', 'descending').limit(3)
  const groups = from(Issue).groupBy(keyOf)
  const sum = from(Issue).sum(valueOf)
  const read = () => {
    controller.get(first)
    controller.get(groups)
    controller.get(sum)
    return controller.get(list)!
  }
  read()
  const calls = () => [isWanted, keyOf, valueOf].map(({ mock }) => mock.calls.length)
  const before = calls()
  for (let id = 1; id <= 100; id++) controller.set(Issue, { id }, { title: 'Other' })
  const shown = read()
  expect(calls()).toEqual(before)
  expect(shown[0]!.title).toBe('Other')
})

test.each([
  ['numbers', [3, -1, 0, 2, -1]],
  ['fractions', [0.5, -0.25, 0.5]],
  ['numbers far from each other', [1e15, 0, -1e15, 5]],
  ['dates', [new Date(5), new Date(1), new Date(5), new Date(NaN)]],
  ['texts', ['b', 'a', 'C', 'a']],
  ['values of several kinds', [1, 'a', true, 2, 'b', false, 1n, null, NaN]],
  ['one value', [7]],
])('orders %s as one after the other, and finds each again', (_, values) => {
  class Item extends Entity {
    id = 0
    value: unknown = undefined
    state = 'in'
    static override key = 'Item'
  }
  const controller = new Controller()
  const { length } = values
  controller.set(
    new schema.All(Item),
    {},
    values.map((value, index) => ({ id: index + 1, value })),
  )
  for (const direction of ['ascending', 'descending'] as const) {
    const list = from(Item)
      .where((item) => item.state === 'in')
      .orderBy('value', direction)
      .orderBy('id', 'descending')
    const built = ids(controller.get(list))
    // Each goes and comes back: by a search for its place, not by a sort.
    for (let id = 1; id <= length; id++) {
      controller.set(Item, { id }, { state: 'out' })
      expect(ids(controller.get(list))).toEqual(built!.filter((other) => other !== id))
      controller.set(Item, { id }, { state: 'in' })
      expect(ids(controller.get(list))).toEqual(built)
    }
  }
})

test.each([
  ['all', from(Comment)],
  ['those with a value', from(Comment).where({ issueId: 1 })],
  ['those that pass', from(Comment).where(({ issueId }) => issueId > 2)],
  ['groups', from(Comment).groupBy('issueId').count()],
  ['rows', from(Comment).where({ text: 'a' }).with(Comment, 'issueId')],
])('%s of none are known, forgotten and known again with them', async (_, query) => {
  const controller = new Controller()
  const told: unknown[] = []
  const end = controller.subscribe(query as ReturnType<typeof from<typeof Comment>>, ({ data }) =>
    told.push(data),
  )
  for (let turn = 0; turn < 2; turn++) {
    controller.set(new schema.All(Comment), {}, [])
    expect(controller.get(query as ReturnType<typeof from<typeof Comment>>)).toEqual([])
    await controller.resetAll()
    expect(controller.get(query as ReturnType<typeof from<typeof Comment>>)).toBeUndefined()
  }
  expect(told).toEqual([[], undefined, [], undefined])
  end()
})

test('a group that went comes back as the same object', () => {
  const controller = new Controller()
  issuesIn(controller, 4)
  const groups = from(Issue).groupBy('state').count()
  const [open] = controller.get(groups)!
  controller.set(Issue, { id: 1 }, { state: 'new' })
  controller.set(Issue, { id: 3 }, { state: 'new' })
  expect(controller.get(groups)!.map(({ key }) => key)).toEqual(['new', 'closed'])
  controller.set(Issue, { id: 1 }, { state: 'open' })
  controller.set(Issue, { id: 3 }, { state: 'open' })
  expect(controller.get(groups)![0]).toBe(open)
})

test('says by which index its members are found', () => {
  const list = new schema.Collection([Issue])
  expect(from(Issue).where('state').describe({ state: 'open' })).toBe('the index of Issue by "state"')
  expect(from(Issue).where('state').describe({})).toBe('all records of Issue')
  expect(from(Issue).where({ owner: undefined, votes: 3 }).describe()).toBe('the index of Issue by "votes"')
  expect(from(from(Issue).limit(3)).with(Comment, 'issueId').describe()).toBe(
    'all records of Issue, and the index of Comment by "issueId"',
  )
  expect(from(list).count().describe()).toBe('the members of its list')
})

test('the devtools name a query by how it was made', () => {
  const controller = new Controller()
  issuesIn(controller, 3)
  const issues = from(Issue)
  const named = {
    'from(Issue)': issues,
    'from(Issue).where(state, …).orderBy(title, …).limit(2)': issues
      .where({ state: 'open' })
      .where(({ votes }) => votes > 1)
      .orderBy('title')
      .orderBy((a, b) => a.votes - b.votes)
      .limit(2),
    'from(Issue).limit(2).limit(1).offset(…).first()': issues
      .limit(2)
      .limit(1)
      .offset(() => 0)
      .first(),
    'from(Issue).groupBy(state).count()': issues.groupBy('state').count(),
    'from(Issue).groupBy(…).sum(votes)': issues.groupBy(({ votes }) => votes > 1).sum('votes'),
    'from(Issue).max(…)': issues.max(({ votes }) => votes),
    'from(Issue).orderBy(id).window()': issues.orderBy('id').window(),
    'from(Issue).with(Comment).where(…)': issues
      .with(Comment, 'issueId')
      .where(([, comments]) => comments.length > 0),
    'from([Issue]).where(state)': from(new schema.Collection([Issue])).where('state'),
  }
  for (const query of Object.values(named)) controller.subscribe(query as typeof issues, () => {})
  const inspector = new Inspector(controller)
  expect(inspector.calls().map(({ endpoint }) => endpoint)).toEqual(Object.keys(named))
})
