/** A server that stores records in lists, and logs its requests. */
export function createServer(lists: Record<string, readonly Readonly<Record<string, unknown>>[]>) {
  const requests: string[] = []
  const bodies: unknown[] = []
  const stored = new Map(Object.entries(lists).map(([path, list]) => [path, [...list]]))
  let next = 100

  const answer = (method: string, url: string, body: Readonly<Record<string, unknown>>): unknown => {
    const { pathname } = new URL(url)
    const own = stored.get(pathname)
    if (own !== undefined && method === 'POST') {
      const created = { id: next++, ...body }
      own.push(created)
      return created
    }
    if (own !== undefined) return own
    const [, path = '', id = ''] = /^(.*)\/([^/]*)$/.exec(pathname) ?? []
    const list = stored.get(path) ?? []
    const index = list.findIndex((record) => String(record.id) === decodeURIComponent(id))
    if (index < 0) return undefined
    if (method === 'DELETE') {
      list.splice(index, 1)
      return {}
    }
    if (method !== 'GET') list[index] = { ...list[index], ...body }
    return list[index]
  }

  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET'
    requests.push(`${method} ${String(input)}`)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
    bodies.push(init.body === undefined ? undefined : body)
    await Promise.resolve()
    const found = answer(method, String(input), body)
    return found === undefined ? Response.json({}, { status: 404 }) : Response.json(found)
  }
  return { fetch: fetch as typeof globalThis.fetch, requests, bodies }
}
