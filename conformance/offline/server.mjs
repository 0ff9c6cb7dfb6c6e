// A server that keeps the truth and honours idempotency keys, in a process of its own.
import { createServer } from 'node:http'

/** @type {Map<number, { id: number, title: string, done: boolean }>} */
const todos = new Map()
/** The answers by idempotency key. */
const answers = new Map()
/** What was received, and what was carried out: name, key and body. */
let received = []
let applied = []
/** What goes wrong: `before` and `after` hold the answer for ever, without and with having carried out; a number is a status. */
let fault
let faults = 0
/** The count of reads. */
let reads = 0
/** How long reads take, in milliseconds. */
let delay = 0
/** The streams that are open, and how many were opened. */
const streams = new Set()
let opened = 0
let nextId = 101

function reset() {
  todos.clear()
  for (const id of [1, 2, 3]) todos.set(id, { id, title: `Todo ${id}`, done: false })
  answers.clear()
  received = []
  applied = []
  fault = undefined
  nextId = 101
  reads = 0
  delay = 0
  for (const stream of streams) stream.end()
  streams.clear()
  opened = 0
}

function carryOut({ name, body }) {
  const [method, path] = name.split(' ')
  if (path === '/file') return { size: body.length }
  const id = Number(path.split('/')[2])
  if (method === 'POST') {
    const made = { done: false, ...JSON.parse(body), id: nextId++ }
    todos.set(made.id, made)
    return made
  }
  if (method === 'DELETE') {
    todos.delete(id)
    return { id }
  }
  const changed = { ...todos.get(id), ...JSON.parse(body), id }
  todos.set(id, changed)
  return changed
}

function read(path) {
  // Each resource has the same todos.
  if (/\/[a-z]+$/.test(path)) return [...todos.values()]
  return todos.get(Number(path.split('/')[2]))
}

function control(path, text) {
  if (path === '/control/reset') reset()
  else if (path === '/control/fault') {
    const given = JSON.parse(text)
    fault = given.fault ?? undefined
    faults = given.times ?? Infinity
  } else if (path === '/control/delay') delay = JSON.parse(text).ms
  else if (path === '/control/push') {
    for (const stream of streams) stream.write(`data: ${text}\n\n`)
  }
  return { received, applied, reads, streams: streams.size, opened, todos: [...todos.values()] }
}

// A sandboxed frame has an origin of its own.
const shared = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
}
const json = { 'content-type': 'application/json', ...shared }

const server = createServer(async (request, response) => {
  const { method = 'GET', headers, url = '/' } = request
  const { pathname } = new URL(url, 'http://localhost')
  let text = ''
  for await (const part of request) text += part
  const answer = (status, value) => response.writeHead(status, json).end(JSON.stringify(value))
  if (method === 'OPTIONS') return response.writeHead(204, shared).end()
  if (pathname.startsWith('/control/')) return answer(200, control(pathname, text))
  if (pathname === '/stream') {
    opened++
    streams.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
    response.write(':\n\n')
    response.on('close', () => streams.delete(response))
    return
  }
  if (method === 'GET') {
    reads++
    await new Promise((resolve) => setTimeout(resolve, delay))
    const value = read(pathname)
    return value === undefined ? answer(404, {}) : answer(200, value)
  }
  const key = headers['idempotency-key']
  const change = { name: `${method} ${pathname}`, key, user: headers['x-user'], body: text }
  received.push(change)
  const now = faults-- > 0 ? fault : undefined
  if (now === 'before') return
  if (typeof now === 'number') return answer(now, { message: `Status ${now}` })
  const known = key === undefined ? undefined : answers.get(key)
  const value = known ?? carryOut(change)
  if (known === undefined) applied.push(change)
  answers.set(key, value)
  if (now !== 'after') answer(200, value)
})

reset()
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port))
