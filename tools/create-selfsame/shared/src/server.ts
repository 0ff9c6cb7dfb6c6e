import type { Transport } from '@selfsame/core'

interface StoredTodo {
  id: string
  title: string
  note: string
  completed: boolean
}

const latencyMs = 300
const todos = new Map<string, StoredTodo>()
let lastId = 0

function add(fields: Partial<StoredTodo>): StoredTodo {
  const todo = { title: '', note: '', completed: false, ...fields, id: String(++lastId) }
  todos.set(todo.id, todo)
  return todo
}

add({ title: 'Read src/api.ts', note: 'It declares the API: one class, one resource.', completed: true })
add({ title: 'Add a todo', note: 'It appears at once. The server responds 300 ms later.' })
add({ title: 'Replace src/server.ts', note: 'This server runs in the page. Yours does not.' })

/** Answers the requests of `api.ts` inside the page, so this project needs no server. Delete it when you have your own. */
export const serve: Transport = async (input, init) => {
  await new Promise((resolve) => setTimeout(resolve, latencyMs))
  const { pathname } = new URL(String(input), 'http://localhost')
  const id = pathname.split('/')[3]
  const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Partial<StoredTodo>) : {}
  const method = init?.method ?? 'GET'

  if (id === undefined) return Response.json(method === 'POST' ? add(body) : [...todos.values()])
  const todo = todos.get(id)
  if (todo === undefined) return Response.json({ message: `There is no todo ${id}.` }, { status: 404 })
  if (method === 'DELETE') todos.delete(id)
  return Response.json(method === 'PATCH' ? Object.assign(todo, body) : todo)
}
