import { buildSchema, graphql } from 'graphql'
import { vi } from 'vitest'

/** A todo, as the server has it. Lists leave `notes` out. */
interface StoredTodo {
  readonly id: number
  title: string
  done: boolean
  readonly notes: string
}

/** The one server that the screens of the migration guides are run against. */
export interface TodoServer {
  /** `GET /todo` and so on, and `query Todos` of GraphQL, in their order. */
  readonly requests: string[]
  /**
   * Lets the next mutation wait until the function that this returns is called.
   */
  hold(): () => void
  /** Adds a todo, as another user would. */
  add(title: string): StoredTodo
}

const sdl = buildSchema(`
  type Todo { id: ID! title: String! done: Boolean! notes: String! }
  type Query { todos: [Todo!]! todo(id: ID!): Todo }
  type Mutation { createTodo(title: String!): Todo! setDone(id: ID!, done: Boolean!): Todo! }
`)

/**
 * Answers the global `fetch` until the test ends, with todos that are remembered, the newest first. `?limit=2` gives pages of
 * two. A todo without a title is refused.
 *
 * @param options.isFull - whether lists have the notes as well
 */
export function startServer({ isFull = false } = {}): TodoServer {
  const requests: string[] = []
  const todos: StoredTodo[] = []
  let held = Promise.resolve()

  const add = (title: string): StoredTodo => {
    const todo = {
      id: todos.length + 1,
      title,
      done: false,
      notes: `Notes of ${title}`,
    }
    todos.unshift(todo)
    return todo
  }
  for (const title of ['One', 'Two', 'Three']) add(title)

  const find = (id: unknown): StoredTodo => {
    const todo = todos.find((one) => one.id === Number(id))
    if (todo === undefined) throw new Error(`No todo ${String(id)}`)
    return todo
  }
  const create = (title: string): StoredTodo => {
    if (title === '') throw new Error('A todo needs a title')
    return add(title)
  }
  const setDone = (id: unknown, done: boolean): StoredTodo =>
    Object.assign(find(id), { done })

  function list(search: URLSearchParams): unknown {
    const rows = isFull
      ? todos
      : todos.map(({ id, title, done }) => ({ id, title, done }))
    const limit = Number(search.get('limit'))
    if (limit === 0) return rows
    const cursor = Number(search.get('cursor'))
    const rest = cursor === 0 ? rows : rows.filter(({ id }) => id < cursor)
    const results = rest.slice(0, limit)
    return {
      results,
      next: rest.length > limit ? String(results.at(-1)?.id) : '',
    }
  }

  function answerRest(
    line: string,
    search: URLSearchParams,
    body: Partial<StoredTodo>,
  ): unknown {
    const [method, id] = line.split(/ \/todo\/?/)
    if (method === 'POST') return create(body.title ?? '')
    if (method === 'PATCH') return setDone(id, body.done === true)
    return id === '' ? list(search) : find(id)
  }

  const root = {
    todos: () => todos,
    todo: ({ id }: { id: string }) => find(id),
    createTodo: ({ title }: { title: string }) => create(title),
    setDone: ({ id, done }: { id: string; done: boolean }) => setDone(id, done),
  }

  vi.stubGlobal(
    'fetch',
    async (input: string | URL, init: RequestInit = {}) => {
      const { pathname, search, searchParams } = new URL(
        input,
        'https://api.example.com',
      )
      const method = init.method ?? 'GET'
      const body =
        typeof init.body === 'string'
          ? (JSON.parse(init.body) as Record<string, never>)
          : {}
      const isGraphql = pathname === '/graphql'
      const operation = isGraphql
        ? String(body.query).trim().split(/[({]/, 1).join('').trim()
        : ''
      requests.push(isGraphql ? operation : `${method} ${pathname}${search}`)
      if (isGraphql ? operation.startsWith('mutation') : method !== 'GET')
        await held
      if (isGraphql)
        return Response.json(
          await graphql({
            schema: sdl,
            source: String(body.query),
            rootValue: root,
            variableValues: body.variables,
          }),
        )
      try {
        return Response.json(
          answerRest(`${method} ${pathname}`, searchParams, body),
        )
      } catch (error) {
        return Response.json(
          { message: (error as Error).message },
          { status: 422 },
        )
      }
    },
  )

  return {
    requests,
    add,
    hold() {
      const gate = new EventTarget()
      held = new Promise((resolve) => {
        gate.addEventListener('open', () => resolve())
      })
      return () => gate.dispatchEvent(new Event('open'))
    },
  }
}
