import { createMockController } from '@selfsame/core/testing'
import type { MockController } from '@selfsame/core/testing'

/** What the reader has switched on. Asked anew for each request. */
export interface Network {
  isSlow(): boolean
  isFailing(): boolean
}

/** A request of a live sample, as its log shows it. */
export interface LoggedRequest {
  readonly method: string
  /** Path and search of the address. */
  readonly path: string
  readonly body: string | undefined
  /** `undefined` while it is under way. */
  readonly status: number | undefined
}

/** Long enough to see that something waits, short enough not to. */
const usualMs = 350
const slowMs = 2500

const pageSize = 4

const titles = [
  'Write the release notes',
  'Answer the survey',
  'Order the badges',
  'Book the room',
  'Test the printer',
  'Water the plants',
  'Call the caterer',
  'Send the invitations',
  'Check the microphones',
  'Print the posters',
]

interface Todo {
  id: number
  title: string
  completed: boolean
}

const makeTodos = (): Todo[] => titles.map((title, at) => ({ id: at + 1, title, completed: at % 3 === 2 }))

/**
 * A Controller of the testing kit whose network is a small server of todos in memory.
 *
 * @param log - called with the number of a request and its state: when it is sent, and when it is answered
 */
export function createLiveController(
  network: Network,
  log: (id: number, request: LoggedRequest) => void,
): MockController {
  let count = 0
  return createMockController({
    createState: makeTodos,
    interceptors: [
      {
        testKey: () => true,
        async fetchResponse(url, { method = 'GET', body, signal }) {
          const id = ++count
          const { pathname, search, searchParams } = new URL(url)
          const sent = typeof body === 'string' ? body : undefined
          const request = { method, path: pathname + search, body: sent }
          log(id, { ...request, status: undefined })
          await wait(network.isSlow() ? slowMs : usualMs, signal)
          const response = network.isFailing()
            ? Response.json(
                { message: 'Down for maintenance' },
                { status: 503, statusText: 'Service Unavailable' },
              )
            : answer(this.state, { ...request, pathname, searchParams })
          log(id, { ...request, status: response.status })
          return response
        },
      },
    ],
  })
}

interface Asked {
  readonly method: string
  readonly pathname: string
  readonly searchParams: URLSearchParams
  readonly body: string | undefined
}

function answer(todos: Todo[], { method, pathname, searchParams, body }: Asked): Response {
  const id = Number(pathname.split('/')[2])
  const fields = (body === undefined ? {} : JSON.parse(body)) as Partial<Todo>
  if (method === 'POST') {
    const made = { completed: false, title: '', ...fields, id: (todos.at(-1)?.id ?? 0) + 1 }
    todos.push(made)
    return Response.json(made, { status: 201 })
  }
  if (!pathname.slice(1).includes('/')) return Response.json(pageOf(todos, searchParams))
  const at = todos.findIndex((todo) => todo.id === id)
  const todo = todos[at]
  if (todo === undefined) return new Response(null, { status: 404 })
  if (method === 'DELETE') {
    todos.splice(at, 1)
    return new Response(null, { status: 204 })
  }
  return Response.json(Object.assign(todo, method === 'GET' ? {} : fields))
}

/** Numbered pages, pages after a cursor, or the first page. */
function pageOf(todos: readonly Todo[], params: URLSearchParams): Todo[] {
  const cursor = Number(params.get('cursor') ?? 0)
  const start =
    cursor > 0 ? todos.findIndex(({ id }) => id > cursor) : (Number(params.get('page') ?? 1) - 1) * pageSize
  return start === -1 ? [] : todos.slice(start, start + pageSize)
}

function wait(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
