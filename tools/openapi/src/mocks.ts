// The entry @selfsame/openapi/mocks. It runs in tests, in Storybook and in pages, so it imports nothing of Node.
import { prefixOf } from './description.js'
import { MockServer, routesOf } from './mock-answers.js'
import type { MockSettings } from './mock-settings.js'
import { toDescription } from './to-description.js'

export type { MockSettings } from './mock-settings.js'

/** A server that is made of a description. */
export interface DescriptionMocks {
  /** Takes the place of the network: `new Controller({ fetch: mocks.fetch })`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Options of `createMockController`: an interceptor of all calls of the description. */
  readonly options: {
    readonly interceptors: readonly [
      {
        readonly testKey: (key: string) => boolean
        readonly fetchResponse: (url: string, init: RequestInit) => Promise<Response>
      },
    ]
  }
  /** Answers a request; `undefined` for one that is not in the description. */
  readonly answer: (request: Request) => Promise<Response | undefined>
  /** Forgets what was created, changed and deleted. */
  readonly reset: () => void
}

/**
 * Mocks a server by its description: with its examples, and with believable data by formats and names. What is created is kept, listed,
 * changed and deleted. Equal settings give equal data.
 *
 * @param description - OpenAPI 3 or Swagger 2, parsed and in one piece
 * @throws {Error} for a description that cannot be read
 * @example
 * const mocks = defineMocks(description)
 * const controller = createMockController(mocks.options)
 */
export function defineMocks(description: object, settings: MockSettings = {}): DescriptionMocks {
  const whole = toDescription(description)
  const { urlPrefix = prefixOf(whole.servers) } = settings
  const routes = routesOf(whole)
  let server = new MockServer(whole, settings)
  const find = (url: string, method: string) => {
    const path = pathBehind(url, urlPrefix)
    if (path === undefined) return undefined
    const [plain = '', search = ''] = path.split('#')[0]?.split('?') ?? []
    const route = routes.find((one) => one.method === method.toLowerCase() && one.pattern.test(plain))
    return route === undefined ? undefined : { route, path: plain, search: new URLSearchParams(search) }
  }
  const answer = async (request: Request): Promise<Response | undefined> => {
    const found = find(request.url, request.method)
    return found === undefined
      ? undefined
      : server.answer(found.route, found.path, found.search, await bodyOf(request))
  }
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // A relative address needs a page, which tests have not.
    const url = typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input
    const request = new Request(url, init)
    return (
      (await answer(request)) ??
      Response.json(
        { message: `The description has no ${request.method} ${new URL(request.url).pathname}.` },
        { status: 404 },
      )
    )
  }
  return {
    fetch,
    answer,
    options: {
      interceptors: [
        {
          testKey: (key) => {
            const [method = '', url = ''] = key.split(' ')
            return find(url, method) !== undefined
          },
          fetchResponse: (url, init) => fetch(url, init),
        },
      ],
    },
    reset: () => {
      server = new MockServer(whole, settings)
    },
  }
}

/** The path behind the prefix; `undefined` for another address. */
function pathBehind(url: string, urlPrefix: string): string | undefined {
  const isWhole = /^\w+:\/\//.test(urlPrefix)
  // A prefix without a host fits each host.
  const bare = isWhole ? url : url.replace(/^\w+:\/\/[^/]*/, '')
  if (!bare.startsWith(urlPrefix)) return undefined
  const path = bare.slice(urlPrefix.length)
  return path === '' ? '/' : path.startsWith('/') || path.startsWith('?') ? path : undefined
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (request.body === null) return undefined
  if (/^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type))
    return Object.fromEntries(await request.formData())
  const text = await request.text()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
