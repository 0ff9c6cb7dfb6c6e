import type { Controller, ControllerOptions } from '@selfsame/core'
import { Endpoint, schema, withOptions } from '@selfsame/core'
import { RestEndpoint } from '@selfsame/core/rest'
import { expect, vi } from 'vitest'
import type { HookArgs, ReadTarget } from '../contract.js'
import { Todo, todoFields } from '../fixtures.js'
import type { Api } from '../fixtures.js'
import { baseUrl, reply } from '../server.js'
import type { Screen, ScreenPart, ServerHook } from './contract.js'
import { serverScenario } from './suite.js'
import type { OpenPage, ServerStage } from './suite.js'

const part = (
  hook: ServerHook,
  endpoint: ReadTarget,
  args: HookArgs,
  show: (value: never) => string,
): ScreenPart => ({ hook, endpoint, args, show: show as (value: unknown) => string })

interface Titled {
  readonly title: string
}
interface Loaded {
  readonly data?: Titled | undefined
  readonly loading: boolean
  readonly error?: Error | undefined
}
const titleOf = (todo: Titled | undefined) => todo?.title ?? 'nothing'
const stateOf = ({ data, loading, error }: Loaded) =>
  [titleOf(data), loading ? 'loading' : 'there', error?.message ?? 'no error'].join(', ')

const ofData = ({ data }: { readonly data?: Titled | readonly Titled[] }) =>
  titleOf(Array.isArray(data) ? data[0] : data)

const todo = (id: number, hook: ServerHook = 'useSuspense') => {
  return (api: Api): ScreenPart =>
    part(hook, api.todo.get, [{ id }], (hook === 'useDLE' ? stateOf : titleOf) as (value: never) => string)
}
function targetOf(hook: ServerHook, { todo: { get } }: Api): ReadTarget {
  if (hook === 'useQuery') return Todo
  return hook === 'useSubscription' ? get.extend({ pollFrequency: 1000 }) : get
}

const queried = () => part('useQuery', Todo, [{ id: 5 }], titleOf)

const screenOf = (...parts: readonly ((api: Api) => ScreenPart)[]) => {
  return (api: Api): Screen => parts.map((make) => make(api))
}

serverScenario(
  'SSR/awaited',
  'what waits is rendered with its data, and the page asks for nothing',
  async (stage) => {
    const screen = screenOf(todo(5), todo(6), todo(5, 'useFetch'), todo(5))
    const served = await stage.serve(screen)
    expect(stage.onServer.server.requests.sort()).toEqual(['GET /todo/5', 'GET /todo/6'])
    for (const title of ['Todo 5', 'Todo 6']) expect(served.html).toContain(`>${title}<`)
    expect(served.html).not.toContain('Loading')
    const page = await stage.open(served, screen)
    await page.settle()
    expect(page.texts()).toEqual(['Todo 5', 'Todo 6', 'Todo 5', 'Todo 5'])
    expect(stage.inPage.server.requests).toEqual([])
    // Once hydrated, it behaves like any other page.
    page.controller.set(Todo, { id: 5 }, { title: 'Changed' })
    await page.settle()
    expect(page.texts()).toEqual(['Changed', 'Todo 6', 'Changed', 'Changed'])
  },
)

const hostile = `</script><script>document.title='broken'</script><!--<script>]]>&lt;"'\`\u2028`

serverScenario('SSR/safe', 'no text of an answer breaks out of the state', async (stage) => {
  stage.onServer.server.route('GET /todo/5', todoFields(5, { title: hostile }))
  const screen = screenOf(todo(5))
  const served = await stage.serve(screen)
  const parsed = document.createElement('template')
  parsed.innerHTML = served.html
  const scripts = [...parsed.content.querySelectorAll('script')].map(({ type }) => type)
  expect(scripts.filter((type) => type !== 'application/json')).toEqual([])
  const page = await stage.open(served, screen)
  await page.settle()
  expect(page.texts()).toEqual([hostile])
  expect(stage.inPage.server.requests).toEqual([])
})

const stateOfFirst = ({ data, ...state }: Omit<Loaded, 'data'> & { readonly data?: readonly Titled[] }) =>
  stateOf({ ...state, data: data?.[0] })
const ofNothing = (api: Api) => part('useDLE', withOptions(api.todo.get, { ssr: true }), [null], stateOf)

const optional = {
  useDLE: (api: Api) => part('useDLE', withOptions(api.todo.get, { ssr: true }), [{ id: 5 }], stateOf),
  useLast: (api: Api) => part('useLast', withOptions(api.todo.get, { ssr: true }), [{ id: 5 }], stateOf),
  useCache: (api: Api) => part('useCache', withOptions(api.todo.get, { ssr: true }), [{ id: 5 }], titleOf),
  useInfinite: (api: Api) => {
    const endpoint = withOptions(api.todo.get.extend({ schema: [Todo], process: (one: unknown) => [one] }), {
      ssr: true,
    })
    const page = api.todo.getList
    return part('useInfinite', endpoint, [{ id: 5 }, { next: () => undefined, page }], stateOfFirst)
  },
  useDLEAll: (api: Api) => {
    const calls = [[withOptions(api.todo.get, { ssr: true }), { id: 5 }]]
    return part('useDLEAll', api.todo.get, [calls], stateOfFirst)
  },
} satisfies Partial<Record<ServerHook, (api: Api) => ScreenPart>>

for (const [hook, make] of Object.entries(optional)) {
  serverScenario(
    `SSR/option/${hook}`,
    'a server waits for a reader with the option ssr, and the page asks for nothing',
    async (stage) => {
      const screen = screenOf(make)
      const served = await stage.serve(screen)
      expect(stage.onServer.server.requests).toEqual(['GET /todo/5'])
      expect(served.html).toContain('Todo 5')
      expect(served.html).not.toContain('loading')
      const page = await stage.open(served, screen)
      await page.settle()
      expect(page.texts()[0]).toContain('Todo 5')
      expect(stage.inPage.server.requests).toEqual([])
      page.controller.set(Todo, { id: 5 }, { title: 'Written' })
      await page.settle()
      expect(page.texts()[0]).toContain('Written')
      page.expectKept()
    },
  )
}

serverScenario(
  'SSR/option/error',
  'a reader with the option ssr shows the error of the server, and the page asks for nothing',
  async (stage) => {
    stage.onServer.server.route('GET /todo/5', reply.status(404))
    const screen = screenOf(optional.useDLE)
    const served = await stage.serve(screen)
    expect(served.html).toContain('404')
    const page = await stage.open(served, screen)
    await page.settle()
    expect(page.texts()[0]).toMatch(/^nothing, there, .*404/)
    expect(stage.inPage.server.requests).toEqual([])
  },
)

serverScenario(
  'SSR/option/null',
  'a reader with the option ssr that reads nothing keeps no server waiting',
  async (stage) => {
    const screen = screenOf(ofNothing)
    const served = await stage.serve(screen)
    expect(stage.onServer.server.requests).toEqual([])
    const page = await stage.open(served, screen)
    await page.settle()
    expect(page.texts()).toEqual(['nothing, there, no error'])
  },
)

const lateHooks = [
  'useSuspense',
  'useSuspenseAll',
  'useFetch',
  'useDLE',
  'useDLEAll',
  'useInfinite',
  'useLive',
] as const

/** A page with a part that is hydrated with the others, and one that is hydrated after a promise. */
const lateScreen = (hook: (typeof lateHooks)[number], until: Promise<void>) => (api: Api) => {
  const endpoint = api.todo.get.extend({ invalidIfStale: true })
  const list = withOptions(endpoint.extend({ schema: [Todo], process: (one: unknown) => [one] }), {
    ssr: true,
  })
  const call = [endpoint, { id: 5 }]
  const late = {
    useSuspense: part('useSuspense', endpoint, [{ id: 5 }], titleOf),
    useFetch: part('useFetch', endpoint, [{ id: 5 }], titleOf),
    useSuspenseAll: part('useSuspenseAll', endpoint, [[call]], ([each]: [Titled]) => titleOf(each)),
    useDLE: part('useDLE', withOptions(endpoint, { ssr: true }), [{ id: 5 }], ofData),
    useDLEAll: part('useDLEAll', endpoint, [[[withOptions(endpoint, { ssr: true }), { id: 5 }]]], ofData),
    useInfinite: part('useInfinite', list, [{ id: 5 }, { next: () => undefined, page: list }], ofData),
    useLive: part('useLive', endpoint.extend({ pollFrequency: 3_600_000 }), [{ id: 5 }], titleOf),
  }[hook]
  return [todo(6)(api), { ...late, until }]
}

/** What happens between the hydration of a page and that of one of its parts, and what the part shows in the end. */
const meanwhile: Readonly<
  Record<string, readonly [act: (page: OpenPage, stage: ServerStage) => void, end: string]>
> = {
  set: [({ controller }) => controller.set(Todo, { id: 5 }, { title: 'Written' }), 'Written'],
  response: [
    ({ controller }, { inPage }) => void controller.fetch(inPage.api.todo.get, { id: 5 }),
    'Newer 5',
  ],
  expiry: [(_page, { clock }) => clock.advance(60_000), 'Newer 5'],
  invalidation: [
    ({ controller }, { inPage }) => controller.invalidate(inPage.api.todo.get, { id: 5 }),
    'Newer 5',
  ],
}

for (const [what, [act, end]] of Object.entries(meanwhile)) {
  for (const hook of lateHooks) {
    // The list is another result of the address, which stays.
    if (what === 'invalidation' && hook === 'useInfinite') continue
    serverScenario(
      `SSR/late/${what}/${hook}`,
      'a part that is hydrated later first shows what the server showed, and then what has changed',
      async (stage) => {
        let arrive: (() => void) | undefined
        const arrived = new Promise<void>((resolve) => (arrive = resolve))
        const served = await stage.serve(lateScreen(hook, Promise.resolve()))
        stage.inPage.server.route('GET /todo/5', todoFields(5, { title: 'Newer 5' }))
        const page = await stage.open(served, lateScreen(hook, arrived))
        act(page, stage)
        await page.settle()
        if (stage.hydratesLate) expect(page.texts()).toEqual(['Todo 6', 'Todo 5'])
        arrive?.()
        await page.settle()
        page.expectKept()
        // Time that passes after its hydration changes nothing.
        const isOld = what === 'expiry' && !stage.hydratesLate
        expect(page.texts()).toEqual(['Todo 6', isOld ? 'Todo 5' : end])
      },
    )
  }
}

const kinds = {
  date: new Date(0),
  bigint: 2n ** 70n,
  map: new Map<unknown, unknown>([[1n, new Set([undefined, NaN])]]),
  numbers: [-0, Infinity, -Infinity],
  missing: undefined,
  url: new URL('https://example.com/a?b=c'),
}
const describeKinds = (value: typeof kinds) =>
  [
    value.date.toISOString(),
    String(value.bigint),
    String((value.map.get(1n) as Set<unknown> | undefined)?.has(NaN)),
    value.numbers.map((each) => (Object.is(each, -0) ? '-0' : String(each))).join(' '),
    String('missing' in value && value.missing === undefined),
    value.url.href,
  ].join(', ')

serverScenario('SSR/kinds', 'values that JSON does not have are the same in the page', async (stage) => {
  const asked: string[] = []
  const getKinds = new Endpoint((_params: { id: number }) => (asked.push('asked'), Promise.resolve(kinds)), {
    name: 'getKinds',
  })
  const screen = () => [part('useSuspense', getKinds, [{ id: 1 }], describeKinds)]
  const page = await stage.open(await stage.serve(screen), screen)
  await page.settle()
  expect(page.texts()).toEqual([describeKinds(kinds)])
  expect(asked).toEqual(['asked'])
})

for (const status of [404, 500]) {
  serverScenario(
    `SSR/error ${status}`,
    'a page that failed on the server shows the same failure, asks for nothing, and can be tried again',
    async (stage) => {
      stage.onServer.server.route('GET /todo/5', reply.status(status))
      const screen = screenOf(todo(5), todo(6))
      const page = await stage.open(await stage.serve(screen), screen)
      await page.settle()
      const failure = `Failed: Todo.get failed: ${status} from GET ${baseUrl}/todo/5.`
      expect(page.texts()).toEqual([failure, 'Todo 6'])
      expect(page.failures).toEqual([])
      expect(stage.inPage.server.requests).toEqual([])
      await page.retry(0)
      await page.settle()
      expect(page.texts()).toEqual(['Todo 5', 'Todo 6'])
      expect(stage.inPage.server.requests).toEqual(['GET /todo/5'])
    },
  )
}

const titlesOf = (todos: readonly (Titled | undefined)[]) => todos.map(titleOf).join(' + ')
const all = (callsOf: (api: Api) => readonly (readonly unknown[])[]) => (api: Api) =>
  part('useSuspenseAll', api.todo.get, [callsOf(api)], titlesOf)

serverScenario(
  'SSR/all',
  'several reads start before the first is waited for, and the page asks for nothing',
  async (stage) => {
    const { server } = stage.onServer
    const screen = screenOf(
      all(({ todo: { get } }) => [
        [get, { id: 5 }],
        [get, { id: 6 }],
        [get, null],
      ]),
      todo(5),
    )
    server.hold('GET /todo/5')
    server.hold('GET /todo/6')
    const serving = stage.serve(screen)
    await vi.waitFor(() => expect([...server.requests].sort()).toEqual(['GET /todo/5', 'GET /todo/6']))
    server.release()
    const served = await serving
    expect(served.html).not.toContain('Loading')
    const page = await stage.open(served, screen)
    await page.settle()
    expect(page.texts()).toEqual(['Todo 5 + Todo 6 + nothing', 'Todo 5'])
    expect(server.requests).toHaveLength(2)
    expect(stage.inPage.server.requests).toEqual([])
    page.controller.set(Todo, { id: 6 }, { title: 'Changed' })
    await page.settle()
    expect(page.texts()).toEqual(['Todo 5 + Changed + nothing', 'Todo 5'])
  },
)

serverScenario('SSR/all error', 'several reads of which one failed show its failure', async (stage) => {
  stage.onServer.server.route('GET /todo/6', reply.status(404))
  const screen = screenOf(
    all(({ todo: { get } }) => [
      [get, { id: 5 }],
      [get, { id: 6 }],
    ]),
  )
  const page = await stage.open(await stage.serve(screen), screen)
  await page.settle()
  expect(page.texts()).toEqual([`Failed: Todo.get failed: 404 from GET ${baseUrl}/todo/6.`])
  expect(stage.inPage.server.requests).toEqual([])
})

serverScenario(
  'SSR/all stale',
  'what is Stale is shown, and not asked for beside what is waited for',
  async (stage) => {
    let controller: Controller | undefined
    const prepare: ControllerOptions['middleware'] = [(made) => ((controller = made), {})]
    const screen = (api: Api): Screen => {
      const { shortLived } = api
      const { args, ...others } = all(() => [
        [shortLived, { id: 5 }],
        [api.todo.get, { id: 6 }],
      ])(api)
      // Stores the response before the hook reads its arguments.
      const readArgs = () => (controller?.setResponse(shortLived, { id: 5 }, todoFields(5)), args)
      return [Object.defineProperty({ ...others, args }, 'args', { get: readArgs })]
    }
    const served = await stage.serve(screen, { middleware: prepare })
    expect(served.html).toContain('>Todo 5 + Todo 6<')
    expect(stage.onServer.server.requests).toEqual(['GET /todo/6'])
  },
)

interface Listed {
  readonly data?: readonly Titled[] | undefined
  readonly loading: boolean
  readonly hasNext: boolean
}
const infinite = ({ todo: { getList } }: Api) =>
  part(
    'useInfinite',
    getList,
    [{ userId: 1 }, { next: (todos: readonly Todo[]) => ({ cursor: todos.at(-1)?.id }) }],
    ({ data, loading, hasNext }: Listed) =>
      [titlesOf(data ?? []), loading ? 'loading' : 'there', hasNext ? 'more' : 'no more'].join(', '),
  )
const awaitedList = ({ todo: { getList } }: Api) => part('useSuspense', getList, [{ userId: 1 }], titlesOf)

serverScenario(
  'SSR/useInfinite',
  'a list of pages starts no request on a server, and the page asks for it once',
  async (stage) => {
    const screen = screenOf(infinite)
    const served = await stage.serve(screen)
    expect(stage.onServer.server.requests).toEqual([])
    expect(served.html).toContain('>, loading, no more<')
    const page = await stage.open(served, screen)
    await page.settle()
    expect(page.texts()).toEqual(['Todo 5 + Todo 6, there, more'])
    expect(stage.inPage.server.requests).toEqual(['GET /todo?userId=1'])
  },
)

serverScenario(
  'SSR/useInfinite beside what waits',
  'a list of pages that somebody waited for is there, and the page asks for nothing',
  async (stage) => {
    const screen = screenOf(infinite, awaitedList)
    const page = await stage.open(await stage.serve(screen), screen)
    await page.settle()
    expect(page.texts()).toEqual(['Todo 5 + Todo 6, there, more', 'Todo 5 + Todo 6'])
    expect(stage.inPage.server.requests).toEqual([])
  },
)

for (const hook of ['useDLE', 'useCache', 'useQuery', 'useProgress', 'useSubscription'] as const) {
  serverScenario(
    `SSR/nothing waits/${hook}`,
    'starts no request, stream or timer on a server',
    async (stage) => {
      const served = await stage.serve((api) => [part(hook, targetOf(hook, api), [{ id: 5 }], () => 'shown')])
      expect(served.html).toContain('>shown<')
      expect(stage.onServer.server.requests).toEqual([])
    },
  )
}

serverScenario(
  'SSR/error later',
  'a page that took long to arrive shows what its server failed with, and asks for nothing',
  async (stage) => {
    stage.onServer.server.route('GET /todo/5', reply.status(500))
    const screen = screenOf(todo(5))
    const served = await stage.serve(screen)
    stage.clock.advance(20_000)
    const page = await stage.open(served, screen)
    await page.settle()
    expect(page.texts()).toEqual([`Failed: Todo.get failed: 500 from GET ${baseUrl}/todo/5.`])
    expect(stage.inPage.server.requests).toEqual([])
  },
)

serverScenario('SSR/useDLE', 'shows that it loads, and the page asks for it once', async (stage) => {
  const screen = screenOf(todo(5, 'useDLE'), todo(5, 'useDLE'))
  const served = await stage.serve(screen)
  expect(stage.onServer.server.requests).toEqual([])
  expect(served.html).toContain('>nothing, loading, no error<')
  const page = await stage.open(served, screen)
  await page.settle()
  expect(page.texts()).toEqual(['Todo 5, there, no error', 'Todo 5, there, no error'])
  expect(stage.inPage.server.requests).toEqual(['GET /todo/5'])
})

serverScenario(
  'SSR/beside what waits',
  'readers that wait for nothing first show what the server showed, then what is there',
  async (stage) => {
    const screen = screenOf(todo(5, 'useCache'), queried, todo(5, 'useDLE'), todo(5))
    const page = await stage.open(await stage.serve(screen), screen)
    await page.settle()
    expect(page.texts()).toEqual(['Todo 5', 'Todo 5', 'Todo 5, there, no error', 'Todo 5'])
    expect(stage.inPage.server.requests).toEqual([])
  },
)

serverScenario(
  'SSR/stale',
  'what is Stale when the page is hydrated is shown, and asked for once',
  async (stage) => {
    const screen = screenOf(todo(5), todo(5), todo(5, 'useCache'))
    const served = await stage.serve(screen)
    stage.clock.advance(60_001)
    stage.inPage.server.route('GET /todo/5', todoFields(5, { title: 'Newer' }))
    stage.inPage.server.hold('GET /todo/5')
    const page = await stage.open(served, screen)
    expect(page.texts().slice(0, 2)).toEqual(['Todo 5', 'Todo 5'])
    await page.settle()
    expect(stage.inPage.server.requests).toEqual(['GET /todo/5'])
    stage.inPage.server.release()
    await page.settle()
    expect(page.texts()).toEqual(['Newer', 'Newer', 'Newer'])
    expect(stage.inPage.server.requests).toEqual(['GET /todo/5'])
  },
)

serverScenario('SSR/deleted', 'what was deleted on the server is not in the page', async (stage) => {
  const screen = screenOf(todo(5), todo(6, 'useCache'))
  const deleted = new schema.Delete(Todo)
  const prepare: ControllerOptions['middleware'] = [
    (controller) => ({
      before({ type }) {
        if (type !== 'response') return
        controller.set(Todo, { id: 6 }, { title: 'Gone' })
        controller.set(deleted, { id: 6 }, { id: 6 })
      },
    }),
  ]
  const page = await stage.open(await stage.serve(screen, { middleware: prepare }), screen)
  await page.settle()
  expect(page.texts()).toEqual(['Todo 5', 'nothing'])
  expect(page.controller.get(Todo, { id: 6 })).toBeUndefined()
})

serverScenario('SSR/users', 'each of several requests at once shows its own user alone', async (stage) => {
  const getMe = new RestEndpoint({ urlPrefix: baseUrl, path: '/me' })
  const screen = () => [part('useSuspense', getMe, [], ({ name }: { name: string }) => name)]
  const users = Array.from({ length: 8 }, (_, index) => `User-${index}-`)
  const pages = await Promise.all(
    users.map(async (name, index) => {
      // The first requests get their responses last.
      const wait = async () => {
        for (let turn = 0; turn < 3 * (users.length - index); turn++) await Promise.resolve()
      }
      return stage.serve(screen, { fetch: async () => (await wait(), Response.json({ name })) })
    }),
  )
  pages.forEach(({ html }, index) => {
    expect(users.filter((name) => html.includes(name))).toEqual([users[index]])
  })
})
