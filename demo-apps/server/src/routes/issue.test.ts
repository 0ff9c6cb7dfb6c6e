import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { useServer } from '../test-server.js'

const send = useServer()

test('lists issues with whole users and labels, the newest first, and filters them', async () => {
  const { body: all } = await send('GET /issue')
  expect(all).toHaveLength(72)
  expect(all[0]).toMatchObject({
    id: 72,
    state: 'backlog',
    labels: [{ id: 2, name: 'feature', color: 'violet' }],
  })
  expect(all[0].author).toMatchObject({ id: expect.any(Number), name: expect.any(String) })
  for (const [query, isWanted] of [
    ['state=done', (issue: Issue) => issue.state === 'done'],
    ['assignee=3', (issue: Issue) => issue.assignee?.id === 3],
    ['assignee=none', (issue: Issue) => issue.assignee === null],
    ['label=6', (issue: Issue) => issue.labels.some(({ id }) => id === 6)],
    ['q=HARBOUR', (issue: Issue) => /harbour/i.test(issue.title)],
  ] as const) {
    const { body } = await send(`GET /issue?${query}`)
    expect([query, body]).toEqual([query, all.filter(isWanted)])
    expect(body.length).toBeGreaterThan(0)
  }
})

interface Issue {
  readonly title: string
  readonly state: string
  readonly assignee: { readonly id: number } | null
  readonly labels: readonly { readonly id: number }[]
}

test('notes each change as that of the visitor, whom header or cookie name', async () => {
  const visitor = { 'Access-Token': 'user-2' }
  const { body: issue } = await send('POST /issue', { title: 'New' }, visitor)
  expect(issue).toMatchObject({
    id: 73,
    state: 'backlog',
    priority: 'none',
    author: { id: 2 },
    commentCount: 0,
  })
  await send('PATCH /issue/73', { state: 'done', title: 'New', assignee: 3 }, { Cookie: 'demo-token=user-4' })
  await send('POST /activity', { issue: 73, body: 'Well.' })
  const { body: activities } = await send('GET /activity?issue=73')
  expect(activities).toMatchObject([
    { kind: 'comment', actor: null, body: 'Well.' },
    { kind: 'assignee', actor: { id: 4 }, assignee: { id: 3 } },
    { kind: 'state', actor: { id: 4 }, from: 'backlog', to: 'done' },
    { kind: 'created', actor: { id: 2 } },
  ])
  const { body: older } = await send(`GET /activity?issue=73&cursor=${activities[1].id}&limit=1`)
  expect(older).toEqual([activities[2]])
  expect((await send('GET /issue/73')).body).toMatchObject({ commentCount: 1, assignee: { id: 3 } })
})

test('deletes an issue, and restores it as it was', async () => {
  const { body: issue } = await send('GET /issue/5')
  expect((await send('DELETE /issue/5')).body).toEqual({ id: 5 })
  for (const route of ['GET /issue/5', 'PATCH /issue/5', 'DELETE /issue/5']) {
    expect([route, (await send(route, route.startsWith('PATCH') ? {} : undefined)).status]).toEqual([
      route,
      404,
    ])
  }
  expect((await send('GET /issue')).body).toHaveLength(71)
  expect((await send('POST /issue/5/restore')).body).toEqual(issue)
  expect((await send('GET /issue')).body).toHaveLength(72)
})

test('does what two requests with one key ask for once', async () => {
  const key = { 'Idempotency-Key': 'a' }
  const [first, second] = await Promise.all([
    send('POST /issue', { title: 'Once' }, key),
    send('POST /issue', { title: 'Once' }, key),
  ])
  expect(second).toMatchObject({ status: 201, body: first.body })
  expect((await send('POST /issue', { title: 'Twice' }, { 'Idempotency-Key': 'b' })).body.id).toBe(74)
  expect((await send('GET /issue?q=once')).body).toHaveLength(1)
})

test('refuses what an issue cannot be', async () => {
  for (const [route, body, status] of [
    ['POST /issue', { title: '' }, 422],
    ['PATCH /issue/1', { state: 'almost' }, 422],
    ['PATCH /issue/1', { assignee: 9999 }, 422],
    ['POST /activity', { issue: 9999, body: 'x' }, 422],
    ['GET /issue?state=almost', undefined, 400],
    ['GET /activity', undefined, 400],
  ] as const) {
    expect([route, body, (await send(route, body)).status]).toEqual([route, body, status])
  }
})

test('tells at once of changes, of what happens to an issue, and of who views it', async () => {
  const { url } = (await send('GET /user/1/avatar')).body.src.match(/^(?<url>http:\/\/[^/]+)/).groups
  const connect = async (...channels: readonly object[]) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/live`)
    const heard: Record<string, unknown>[] = []
    socket.on('message', (data) => heard.push(JSON.parse(String(data))))
    await new Promise((resolve) => socket.once('open', resolve))
    for (const channel of channels) socket.send(JSON.stringify({ type: 'subscribe', ...channel }))
    socket.send('{"type":"ping"}')
    await vi.waitUntil(() => heard.some(({ type }) => type === 'pong'))
    return { socket, heard }
  }
  const first = await connect({ channel: 'tracker' }, { channel: 'presence:5', user: 2 })
  const second = await connect(
    { channel: 'activity:5' },
    { channel: 'presence:5', user: 3 },
    { channel: 'presence:6' },
  )
  await send('PATCH /issue/5', { state: 'todo' })
  await send('PATCH /user/2', { name: 'Renamed' })
  await send('DELETE /issue/6')
  await send('POST /issue/6/restore')
  await vi.waitUntil(() => first.heard.filter(({ channel }) => channel === 'tracker').length === 4)
  expect(first.heard.filter(({ channel }) => channel === 'tracker')).toMatchObject([
    { kind: 'issue', type: 'updated', record: { id: 5, state: 'todo' } },
    { kind: 'user', type: 'updated', record: { id: 2, name: 'Renamed' } },
    { kind: 'issue', type: 'deleted', record: { id: 6 } },
    { kind: 'issue', type: 'created', record: { id: 6 } },
  ])
  await vi.waitUntil(() => second.heard.some(({ channel }) => channel === 'activity:5'))
  expect(second.heard.find(({ channel }) => channel === 'activity:5')).toMatchObject({
    type: 'created',
    record: { issue: 5, kind: 'state', to: 'todo' },
  })
  expect((await send('GET /issue/5/presence')).body).toEqual({ id: 5, users: [2, 3] })
  second.socket.close()
  await vi.waitUntil(() => first.heard.at(-1)?.['channel'] === 'presence:5')
  const told = first.heard.filter(({ channel }) => channel === 'presence:5')
  expect(told.map(({ users }) => users)).toEqual([[2], [2, 3], [2]])
  first.socket.close()
})
