import { vi } from 'vitest'

/** Replaces the global `fetch` by a server of todos that keeps changes. @returns the requests, in order */
export function serveTodos(author: (id: number) => unknown): readonly string[] {
  const requests: string[] = []
  let todos = ['Write', 'Read'].map((title, index) => ({
    id: index + 1,
    title,
    done: index === 0,
    author: author(1),
  }))

  function answer(method: string, id: string | undefined, search: string, body: object): unknown {
    const todo = todos.find((one) => String(one.id) === id)
    if (method === 'POST') {
      const made = { id: todos.length + 1, title: '', done: false, author: author(1), ...body }
      todos = [...todos, made]
      return made
    }
    if (method === 'DELETE') todos = todos.filter((one) => one !== todo)
    if (method === 'PATCH' && todo !== undefined) return Object.assign(todo, body)
    if (id !== undefined) return todo
    return todos.filter(({ done }) => !search.includes('done=true') || done)
  }

  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const { pathname, search } = new URL(String(input))
    const method = init.method ?? 'GET'
    requests.push(`${method} ${pathname}${search}`)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as object) : {}
    const [, kind, id] = pathname.split('/')
    return Response.json(
      kind === 'user' ? { id: Number(id), name: 'Ann' } : (answer(method, id, search, body) ?? {}),
    )
  })
  return requests
}
