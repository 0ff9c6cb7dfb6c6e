import { Controller, Query, schema, withOptions } from '@selfsame/core'
import type { EndpointLike } from '@selfsame/core'
import { dehydrate, hydrate, hydrateFromPage, stateScript } from '@selfsame/core/hydration'
import { connect } from '@selfsame/core/live'
import { persist } from '@selfsame/core/persist'
import { pauseOffline } from '@selfsame/core/policies'
import { createResource } from '@selfsame/core/rest'
import { rule } from '@selfsame/core/rules'
import { memoryStorage } from '@selfsame/core/storage'
import type { RowStorage } from '@selfsame/core/storage'
import { explain, explainRecord, record } from '@selfsame/devtools'
import { expect, onTestFinished } from 'vitest'
import { Article, Todo, User, articleFields, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario } from '../suite.js'
import type { Stage } from '../suite.js'
import { ManualNetwork } from '../surroundings.js'

// What `explain` says of each state, whole: the panel shows the same sentences.

const named = <E extends EndpointLike>(endpoint: E): E => withOptions(endpoint, { name: 'Detail' })

function recorded(controller: Controller): void {
  onTestFinished(record(controller))
}

type Endpoint = Parameters<typeof explain>[1]

/** What is said of a call, in lines. */
function linesOf(controller: Controller, endpoint: unknown, ...args: readonly unknown[]): readonly string[] {
  const { text } = explain(controller, endpoint as Endpoint, ...args)
  // Frameworks name a component that has no name of its own, and `useLive` reads twice.
  return text
    .replace(/On screen in: (Calling|Reader)\b/, 'On screen in: a reader')
    .replace(' (2 readers)', '')
    .split('\n')
}

function recordLines(
  controller: Controller,
  entity: { readonly key: string },
  pk: number,
): readonly string[] {
  return explainRecord(controller, entity, pk).text.split('\n')
}

/**
 * A state of a call, and all that is said of it; of one that is logged, all but its readers: the boundary that shows an error unmounts
 * them in some frameworks.
 */
function callState(
  name: string,
  title: string,
  make: (stage: Stage) => Promise<readonly [controller: Controller, endpoint: unknown, ...args: unknown[]]>,
  lines: readonly string[],
  isLogged = false,
): void {
  scenario(
    `why/state/${name}`,
    title,
    async (stage) => {
      recorded(stage.controller)
      const [controller, endpoint, ...args] = await make(stage)
      const said = linesOf(controller, endpoint, ...args)
      expect(isLogged ? said.slice(0, -1) : said).toEqual(lines)
    },
    { isLogged },
  )
}

callState(
  'nothing',
  'a call that nothing has read was never fetched',
  async ({ api, controller }) => [controller, api.todo.get, { id: 5 }],
  ['Todo.get 5: never fetched.', 'Nothing has read it, so nothing is stored.'],
)

callState(
  'in flight',
  'a first request is in flight',
  async ({ api, controller, mount, server, settle }) => {
    server.hold('GET /todo/5')
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    onTestFinished(() => server.release())
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: no data.',
    'A request is in flight.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Not changed since the recording of changes began.',
    'On screen in: Detail.',
  ],
)

callState(
  'valid',
  'data that a reader fetched is Valid',
  async ({ api, controller, mount, pass, settle }) => {
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    await pass(2000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 58 s.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (2 s ago).',
    'Last change: response Todo.get 5 (2 s ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'old',
  'data on screen becomes Stale by its age',
  async ({ api, controller, mount, pass, settle }) => {
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    await pass(72_000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Stale.',
    'It is not fetched: it is Stale, but that alone sends no request. It is fetched when a reader mounts, gets new arguments or becomes visible again, or by a policy such as `refetchOnFocus`.',
    'It became Stale 12 s ago because of its age. The next successful request makes it Valid.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (72 s ago).',
    'Last change: response Todo.get 5 (72 s ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'old and unused',
  'data without a reader becomes Stale by its age',
  async ({ api, controller, pass }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(72_000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Stale.',
    'It is not fetched: it is Stale, but no mounted reader fetches it.',
    'It became Stale 12 s ago because of its age. The next successful request makes it Valid.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (72 s ago).',
    'Last change: response Todo.get 5 (72 s ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'expired',
  'an action made data Stale',
  async ({ api, controller, pass }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    controller.expireAll(api.todo.get)
    await pass(3000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Stale.',
    'It is not fetched: it is Stale, but no mounted reader fetches it.',
    'It was made Stale 3 s ago by expireAll Todo.get. The next successful request makes it Valid.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (3 s ago).',
    'Last change: expireAll Todo.get (3 s ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'invalidated',
  'an action invalidated a call',
  async ({ api, controller, pass }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    controller.invalidate(api.todo.get, { id: 5 })
    await pass(3000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Invalid.',
    'It was invalidated. No mounted reader fetches it.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (3 s ago).',
    'Last change: invalidate Todo.get 5 (3 s ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'failed',
  'a first request failed',
  async ({ api, controller, server }) => {
    server.route('GET /todo/5', reply.status(500))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: failed.',
    'It is not fetched: it failed (Todo.get failed: 500 from GET https://api.test/todo/5). It is fetched again by controller.fetch, when its error boundary is reset, or when a reader mounts after the error has expired (in 1 s).',
    'Last request: fetch Todo.get 5, because controller.fetch was called (0 ms ago).',
    'Last change: error Todo.get 5 (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'failed again',
  'a later request failed',
  async ({ api, controller, pass, server }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(72_000)
    server.route('GET /todo/5', reply.offline())
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Stale.',
    'It is not fetched: it failed (Todo.get failed: no response from GET https://api.test/todo/5 (TypeError was thrown, see the `cause`)). It is fetched again by controller.fetch, when its error boundary is reset, or when a reader mounts after the error has expired (in 1 s).',
    'It became Stale 12 s ago because of its age. The next successful request makes it Valid.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (0 ms ago). Requested 2 times since the recording began.',
    'Last change: error Todo.get 5 (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'came with a list',
  'a record came with a list',
  async ({ api, controller, mount, settle }) => {
    await controller.fetch(api.todo.getList)
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Not requested: Todo 5 came with Todo.getList.',
    'Last change: response Todo.getList (0 ms ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'came with a record',
  'a list came with a record',
  async ({ api, controller, mount, settle }) => {
    await controller.fetch(api.owner.get, { id: 1 })
    await mount('useDLE', named(api.ownedTodos), { userId: 1 })
    await settle()
    return [controller, api.ownedTodos, { userId: 1 }]
  },
  [
    'Owner.todos {"userId":1}: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Not requested: 2 records came with Owner.get 1.',
    'Last change: response Owner.get 1 (0 ms ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'came with a mutation',
  'a record came with a mutation',
  async ({ api, controller }) => {
    await controller.fetch(api.todo.create, { title: 'New', userId: 1 })
    controller.get(Todo, { id: 9 })
    controller.read(api.todo.get, { id: 9 })
    return [controller, api.todo.get, { id: 9 }]
  },
  [
    'Todo.get 9: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Not requested: response Todo.create {"title":"New","userId":1} stored Todo 9.',
    'Last change: response Todo.create {"title":"New","userId":1} (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'set',
  'the application stored a response',
  async ({ api, controller, pass }) => {
    controller.setResponse(api.todo.get, { id: 5 }, todoFields(5))
    await pass(3000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 57 s.',
    'Not requested: controller.setResponse stored it 3 s ago.',
    'Last change: setResponse Todo.get 5 (3 s ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'hydrated',
  'data came with the page',
  async ({ api, open }) => {
    const { controller: server } = open()
    await server.fetch(api.todo.get, { id: 5 })
    const { controller } = open()
    recorded(controller)
    hydrate(controller, dehydrate(server))
    controller.read(api.todo.get, { id: 5 })
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Not requested: it was hydrated, from a server render or a stored cache.',
    'Last change: hydrate (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'query',
  'a query reads what is stored',
  async ({ api, controller, mount, settle }) => {
    const done = new Query(new schema.All(Todo), function doneTodos(todos) {
      return todos.filter(({ completed }) => completed)
    })
    await controller.fetch(api.todo.getList)
    await mount('useQuery', done)
    await settle()
    return [controller, done]
  },
  [
    'Query of all Todo (doneTodos): Valid.',
    'It is a query of the cache, which sends no requests.',
    'Not requested: a query reads what is stored.',
    'Last change: response Todo.getList (0 ms ago).',
    'On screen in: a reader, which does not fetch.',
  ],
)

callState(
  'query of nothing',
  'a query whose records are not stored has no data',
  async ({ controller, mount, settle }) => {
    const all = new Query(new schema.All(Todo))
    await mount('useQuery', all)
    await settle()
    return [controller, all]
  },
  [
    'Query of all Todo: no data.',
    'It is a query of the cache, which sends no requests. What it reads is not stored.',
    'Not requested: a query reads what is stored.',
    'Not changed since the recording of changes began.',
    'On screen in: a reader, which does not fetch.',
  ],
)

callState(
  'deleted',
  'the record of a call was deleted',
  async ({ api, controller, pass }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.todo.delete, { id: 5 })
    await pass(3000)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Invalid.',
    'The record that it shows was deleted. No mounted reader fetches it.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (3 s ago).',
    'Last change: response Todo.delete 5 (3 s ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'hidden',
  'a pending mutation removes the data',
  async ({ api, controller, mount, server, settle }) => {
    server.hold('DELETE /todo/6')
    void controller.fetch(api.hopeful.delete, { id: 6 })
    await mount('useDLE', named(api.hopeful.get), { id: 6 })
    await settle()
    onTestFinished(() => server.release())
    return [controller, api.hopeful.get, { id: 6 }]
  },
  [
    'Todo.get 6: Invalid.',
    'It is not fetched: a pending mutation removes its data. It is checked again when that mutation is answered.',
    'Last request: fetch Todo.get 6, because Detail mounted; nothing was cached (0 ms ago).',
    'Last change: response Todo.get 6 (0 ms ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'arriving',
  'a part of the page that is on its way brings it',
  async ({ api, controller, mount, settle }) => {
    const state = { ...dehydrate(new Controller()), pending: [api.todo.get.key({ id: 5 })] }
    const page = document.implementation.createHTMLDocument()
    page.body.innerHTML = stateScript(state)
    hydrateFromPage(controller, { document: page, isArriving: true })
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: never fetched.',
    'It is not fetched: the server fetched it, and a part of the page that is on its way brings it.',
    'Not requested since the recording began 0 ms ago.',
    'Not changed since the recording of changes began.',
    'On screen in: Detail.',
  ],
)

callState(
  'aborted',
  'a request was aborted',
  async ({ api, controller, mount, server, settle }) => {
    const abort = new AbortController()
    server.hold('GET /todo/5')
    await mount('useDLE', named(api.todo.get.extend({ signal: abort.signal })), { id: 5 })
    await settle()
    abort.abort()
    await settle()
    server.release()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: no data.',
    'It is not fetched: the `signal` of its endpoint is aborted.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Last change: error Todo.get 5 (0 ms ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'aborted by itself',
  'a request ended by an abort',
  async ({ api, controller, mount, server, settle }) => {
    server.route('GET /todo/5', reply.rejection(new DOMException('Stopped', 'AbortError')))
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: no data.',
    'It is not fetched: its last request was aborted. No reader fetches it again before `errorExpiryLength` has passed.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Last change: error Todo.get 5 (0 ms ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'offline',
  'a request waits for the network',
  async ({ api, open, settle }) => {
    const network = new ManualNetwork()
    const { controller, mount } = open({ middleware: [pauseOffline({ network })] })
    recorded(controller)
    network.set(false)
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: no data.',
    'Its request waits for the network.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Not changed since the recording of changes began.',
    'On screen in: Detail.',
  ],
)

callState(
  'polled',
  'a call is polled',
  async ({ api, controller, mount, pass, settle }) => {
    const polled = api.todo.get.extend({ pollFrequency: 5000 })
    await mount('useLive', named(polled), { id: 5 })
    await settle()
    await pass(5000)
    await settle()
    return [controller, polled, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.get 5, because its endpoint polls (0 ms ago). Requested 2 times since the recording began.',
    'Last change: response Todo.get 5 (0 ms ago).',
    'It is polled.',
    'On screen in: Detail.',
  ],
)

callState(
  'two argument lists',
  'two argument lists have one key',
  async ({ api, controller }) => {
    const same = api.todo.get.extend({ key: () => 'the todo' })
    await controller.fetch(same, { id: 5 })
    return [controller, same, { id: 6 }]
  },
  [
    'Todo.get 6: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (0 ms ago).',
    'Last change: response Todo.get 5 (0 ms ago).',
    '2 argument lists have this key, and share one response: 5; 6. If they need different responses, `key` must tell them apart.',
    'No mounted reader uses it.',
  ],
)

callState(
  'rejected',
  '`validate` of the class refuses what is stored',
  async ({ api, controller, server }) => {
    server.route('GET /article', [{ id: 3, title: 'Summary' }])
    await controller.fetch(api.summaries)
    controller.read(api.article.get, { id: 3 })
    return [controller, api.article.get, { id: 3 }]
  },
  [
    'Article.get 3: never fetched.',
    'Its record is stored, but `validate` of its class refuses it: content is missing. No mounted reader fetches it.',
    'Not requested: Article 3 came with Article.summaries.',
    'Last change: response Article.summaries (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'expired and hidden',
  'an endpoint shows no Stale data',
  async ({ api, controller, pass }) => {
    await controller.fetch(api.freshOnly, { id: 5 })
    await pass(72_000)
    controller.read(api.freshOnly, { id: 5 })
    return [controller, api.freshOnly, { id: 5 }]
  },
  [
    'Todo.get 5: Invalid.',
    'Its data has expired, and its endpoint shows no Stale data. No mounted reader fetches it.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (72 s ago).',
    'Last change: response Todo.get 5 (72 s ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'cache first',
  'a policy shows old data as Valid',
  async ({ api, controller, mount, pass, settle }) => {
    await controller.fetch(api.cacheFirst, { id: 5 })
    await mount('useDLE', named(api.cacheFirst), { id: 5 })
    await pass(72_000)
    await settle()
    return [controller, api.cacheFirst, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data has expired, but its policy shows it as Valid.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (72 s ago).',
    'Last change: response Todo.get 5 (72 s ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'only read',
  'a reader reads and never fetches',
  async ({ api, controller, mount, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (0 ms ago).',
    'Last change: response Todo.get 5 (0 ms ago).',
    'On screen in: a reader, which does not fetch.',
  ],
)

callState(
  'paused',
  'a reader is paused',
  async ({ api, controller, mount, settle }) => {
    await mount('useDLE', withOptions(api.todo.get, { name: 'Detail', paused: true }), { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: never fetched.',
    'There is no data. No mounted reader fetches it.',
    'Not requested since the recording began 0 ms ago.',
    'Not changed since the recording of changes began.',
    'On screen in: Detail, which does not fetch.',
  ],
)

callState(
  'early',
  'a pending mutation is shown early',
  async ({ api, controller, server, settle }) => {
    await controller.fetch(api.hopeful.get, { id: 5 })
    server.hold('PATCH /todo/5')
    void controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'Early' })
    await settle()
    onTestFinished(() => server.release())
    return [controller, api.hopeful.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (0 ms ago).',
    'Last change: fetch Todo.partialUpdate 5, {"title":"Early"}, because it was called (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'before',
  'a request was sent before the recording began',
  async ({ api, open, pass }) => {
    const { controller } = open()
    await controller.fetch(api.todo.get, { id: 5 })
    await pass(1000)
    recorded(controller)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 59 s.',
    'Last request: before the recording began.',
    'Not changed since the recording of changes began.',
    'No mounted reader uses it.',
  ],
)

callState(
  'not recorded',
  'nothing is recorded',
  async ({ api, open }) => {
    const { controller } = open()
    await controller.fetch(api.todo.get, { id: 5 })
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: not recorded. Call `devtools(controller)` or `record(controller)` first.',
    'No mounted reader uses it.',
  ],
)

callState(
  'restoring',
  'a request waits for what an earlier visit has kept',
  async ({ api, open, settle }) => {
    let finishOpening: (() => void) | undefined
    const opened = new Promise<void>((resolve) => (finishOpening = resolve))
    const storage = memoryStorage()
    const slow: RowStorage = { ...storage, read: async (keys) => opened.then(() => storage.read(keys)) }
    const { controller, mount } = open({ middleware: [persist({ storage: slow, waitMs: 60_000 })] })
    recorded(controller)
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    onTestFinished(() => finishOpening?.())
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: no data.',
    'Its request waits until the stored data is read.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Not changed since the recording of changes began.',
    'On screen in: Detail.',
  ],
)

callState(
  'streamed',
  'a stream is open for a call',
  async ({ api, controller, mount, settle }) => {
    const streamed = api.todo.get.extend({ stream: () => () => {} })
    await mount('useLive', named(streamed), { id: 5 })
    await settle()
    return [controller, streamed, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Last change: response Todo.get 5 (0 ms ago).',
    'A stream is open for it.',
    'On screen in: Detail.',
  ],
)

scenario('why/state/in use', 'a connection without a reader uses a call', async (stage) => {
  const { api, controller, settle } = stage
  recorded(controller)
  const streamed = api.todo.get.extend({ stream: () => () => {} })
  await controller.fetch(streamed, { id: 5 })
  const end = connect(controller, streamed, { id: 5 })
  await settle()
  expect(linesOf(controller, streamed, { id: 5 }).slice(-2)).toEqual([
    'A stream is open for it.',
    'It is in use, but no mounted reader shows it.',
  ])
  end()
})

callState(
  'reading threw',
  'the function of a query throws',
  async ({ api, controller, mount, settle }) => {
    const broken = new Query(new schema.All(Todo), function titles() {
      throw new Error('no title')
    })
    await controller.fetch(api.todo.getList)
    await mount('useQuery', broken)
    await settle()
    return [controller, broken]
  },
  [
    'Query of all Todo (titles): failed.',
    'It is a query of the cache, which sends no requests. It cannot be shown: reading its data threw (no title).',
    'Not requested: a query reads what is stored.',
    'Last change: response Todo.getList (0 ms ago).',
  ],
  true,
)

callState(
  'misfit',
  'a response does not fit its schema',
  async ({ api, controller, server, mount, settle }) => {
    class Odd extends Todo {
      static override key = 'Odd'
      static override schema = {
        title: () => {
          throw new Error('no title')
        },
      }
    }
    server.route('GET /todo/5', todoFields(5))
    const odd = api.todo.get.extend({ schema: Odd })
    await mount('useDLE', named(odd), { id: 5 })
    await settle()
    return [controller, odd, { id: 5 }]
  },
  [
    'Todo.get 5: failed.',
    'It is not fetched: it failed (Field "title" does not fit its schema, in the payload of Todo.get (GET /todo/:id), at title: its serializer threw). It is fetched again by controller.fetch, when its error boundary is reset, or when a reader mounts after the error has expired (in 1 s).',
    'Last request: fetch Todo.get 5, because Detail mounted; nothing was cached (0 ms ago).',
    'Last change: response Todo.get 5 (0 ms ago).',
    'On screen in: Detail.',
  ],
)

callState(
  'one row',
  'a list of one record came with a record',
  async ({ api, controller, server }) => {
    server.route('GET /owner/1', { id: 1, name: 'User 1', todos: [todoFields(5)] })
    await controller.fetch(api.owner.get, { id: 1 })
    controller.read(api.ownedTodos, { userId: 1 })
    return [controller, api.ownedTodos, { userId: 1 }]
  },
  [
    'Owner.todos {"userId":1}: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Not requested: 1 record came with Owner.get 1.',
    'Last change: response Owner.get 1 (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'one row removed',
  'the only record of a list was deleted',
  async ({ api, controller, server }) => {
    server.route('GET /todo', [todoFields(5)])
    await controller.fetch(api.todo.getList)
    await controller.fetch(api.todo.delete, { id: 5 })
    return [controller, api.todo.getList]
  },
  [
    'Todo.getList: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.getList, because controller.fetch was called (0 ms ago).',
    'Last change: response Todo.delete 5 (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'rejected in an object',
  '`validate` of a class refuses the record in the object of a call',
  async ({ api, controller, server }) => {
    const wrapped = api.article.get.extend({ schema: { data: Article } })
    server.route('GET /article', [{ id: 3, title: 'Summary' }])
    await controller.fetch(api.summaries)
    controller.read(wrapped, { id: 3 })
    return [controller, wrapped, { id: 3 }]
  },
  [
    'Article.get 3: never fetched.',
    'Its record is stored, but `validate` of its class refuses it: content is missing. No mounted reader fetches it.',
    'Not requested: Article 3 came with Article.summaries.',
    'Last change: response Article.summaries (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'deleted in an object',
  'the record in the object of a call was deleted',
  async ({ api, controller }) => {
    await controller.fetch(api.wrapped, { id: 5 })
    await controller.fetch(api.todo.delete, { id: 5 })
    return [controller, api.wrapped, { id: 5 }]
  },
  [
    'GET /wrapped/todo/:id 5: Invalid.',
    'The record that it shows was deleted. No mounted reader fetches it.',
    'Last request: fetch GET /wrapped/todo/:id 5, because controller.fetch was called (0 ms ago).',
    'Last change: response Todo.delete 5 (0 ms ago).',
    'No mounted reader uses it.',
  ],
)

callState(
  'failed and retried',
  'a request failed again after its boundary was reset',
  async ({ api, controller, mount, server, settle }) => {
    const reader = await mount('useSuspense', named(api.todo.get), { id: 5 })
    await settle()
    server.route('GET /todo/5', reply.status(404))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    await reader.reset()
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Stale.',
    'It is not fetched: it failed (Todo.get failed: 404 from GET https://api.test/todo/5). It is fetched again by controller.fetch, when its error boundary is reset, or when a reader mounts after the error has expired (in 1 s).',
    'It is Stale, because its last request failed. The next successful request makes it Valid.',
    'Last request: fetch Todo.get 5, because Detail retried after an error, and the data is Stale (0 ms ago). Requested 3 times since the recording began.',
    'Last change: error Todo.get 5 (0 ms ago).',
  ],
  true,
)

callState(
  'expired before',
  'an action made data Stale before the recording began',
  async ({ api, open }) => {
    const { controller } = open()
    await controller.fetch(api.todo.get, { id: 5 })
    controller.expireAll(api.todo.get)
    recorded(controller)
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Stale.',
    'It is not fetched: it is Stale, but no mounted reader fetches it.',
    'It was made Stale by an action that was not recorded. The next successful request makes it Valid.',
    'Last request: before the recording began.',
    'Not changed since the recording of changes began.',
    'No mounted reader uses it.',
  ],
)

callState(
  'set before',
  'the application stored the record before the recording began',
  async ({ api, open }) => {
    const { controller } = open()
    controller.set(Todo, { id: 5 }, todoFields(5) as never)
    recorded(controller)
    controller.read(api.todo.get, { id: 5 })
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Not requested: another action stored Todo 5.',
    'Not changed since the recording of changes began.',
    'No mounted reader uses it.',
  ],
)

callState(
  'mutation',
  'a mutation was answered',
  async ({ api, controller }) => {
    await controller.fetch(api.todo.create, { title: 'New' })
    return [controller, api.todo.create, { title: 'New' }]
  },
  [
    'Todo.create {"title":"New"}: no data.',
    'Nothing is stored for it.',
    'Last request: fetch Todo.create {"title":"New"}, because it was called (0 ms ago).',
  ],
)

callState(
  'read twice',
  'two readers read and never fetch',
  async ({ api, controller, mount, settle }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    for (const name of ['One', 'Two']) await mount('useCache', withOptions(api.todo.get, { name }), { id: 5 })
    await settle()
    return [controller, api.todo.get, { id: 5 }]
  },
  [
    'Todo.get 5: Valid.',
    'It is not fetched: its data is Valid for another 60 s.',
    'Last request: fetch Todo.get 5, because controller.fetch was called (0 ms ago).',
    'Last change: response Todo.get 5 (0 ms ago).',
    'On screen in: One, Two, which do not fetch.',
  ],
)

/** A state of a record, and all that is said of it. */
function recordState(
  name: string,
  title: string,
  make: (
    stage: Stage,
  ) => Promise<readonly [controller: Controller, entity: { readonly key: string }, pk: number]>,
  lines: readonly string[],
): void {
  scenario(`why/record/${name}`, title, async (stage) => {
    recorded(stage.controller)
    const [controller, entity, pk] = await make(stage)
    expect(recordLines(controller, entity, pk)).toEqual(lines)
  })
}

recordState(
  'joined no list',
  'a created record joined one list, and not another',
  async ({ api, controller, server }) => {
    server.route('GET /todo?userId=2', [])
    await controller.fetch(api.todo.getList, { userId: 1 })
    await controller.fetch(api.todo.getList, { userId: 2 })
    await controller.fetch(api.todo.create, { title: 'New', userId: 1 })
    return [controller, Todo, 9]
  },
  [
    'Todo 9: It is kept as long as the list Todo.getList {"userId":1} is.',
    'It was last written by response Todo.create {"title":"New","userId":1} (0 ms ago).',
    'It is in Todo.getList {"userId":1}.',
    'It is not in Todo.getList {"userId":2}: its userId is 1, and the list is for 2.',
  ],
)

recordState(
  'defaults',
  'fields that no response had are defaults of the class',
  async ({ controller }) => {
    controller.set(Todo, { id: 7 }, { title: 'By hand' })
    return [controller, Todo, 7]
  },
  [
    'Todo 7: Nothing refers to it: the next garbage collection after `keepLength` drops it.',
    'It was last written by set Todo 7 (0 ms ago).',
    'Not received: userId, completed. Readers see the defaults of the class.',
  ],
)

recordState(
  'doubtful',
  'only the server knows the fields of a record',
  async ({ api, controller, pass, server }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    server.route('PUT /todo/5', undefined)
    await controller.fetch(api.todo.update.extend({ mayBeEmpty: true }), { id: 5 }, { title: 'New' })
    await pass(3000)
    return [controller, Todo, 5]
  },
  [
    'Todo 5: It is kept for `keepLength` after its last use: a call with it was used 3 s ago.',
    'It was last written by response Todo.get 5 (3 s ago).',
    'It was made Stale 3 s ago by response Todo.update 5, {"title":"New"}: only the server knows its fields now. A response to a later request makes it Valid.',
  ],
)

recordState(
  'came with a list',
  'a record came with a list',
  async ({ api, controller, pass }) => {
    await controller.fetch(api.todo.getList)
    await pass(3000)
    return [controller, Todo, 5]
  },
  [
    'Todo 5: It is kept for `keepLength` after its last use: a call with it was used 3 s ago.',
    'It was last written by response Todo.getList (3 s ago).',
    'It is in Todo.getList.',
  ],
)

recordState(
  'rejected',
  '`validate` of the class refuses a record',
  async ({ api, controller, server }) => {
    server.route('GET /article', [{ id: 3, title: 'Summary' }])
    await controller.fetch(api.summaries)
    controller.read(api.article.get, { id: 3 })
    return [controller, Article, 3]
  },
  [
    'Article 3: It is kept for `keepLength` after its last use: a call with it was used 0 ms ago.',
    'It was last written by response Article.summaries (0 ms ago).',
    '`validate` of a class refuses it, so readers of that class do not see it: content is missing.',
    'Not received: author, content, createdAt, contributors. Readers see the defaults of the class.',
  ],
)

recordState(
  'hydrated',
  'a record came with the page',
  async ({ api, open }) => {
    const { controller: server } = open()
    await server.fetch(api.todo.get, { id: 5 })
    const { controller } = open()
    recorded(controller)
    hydrate(controller, dehydrate(server))
    controller.get(Todo, { id: 5 })
    return [controller, Todo, 5]
  },
  [
    'Todo 5: Nothing refers to it: the next garbage collection after `keepLength` drops it.',
    'It was hydrated, from a server render or a stored cache.',
  ],
)

recordState(
  'deleted',
  'a record was deleted',
  async ({ api, controller }) => {
    await controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.todo.delete, { id: 5 })
    return [controller, Todo, 5]
  },
  ['Todo 5: It was deleted.', 'Deleted by response Todo.delete 5 (0 ms ago).'],
)

recordState(
  'referred to',
  'a record is kept by the one that refers to it',
  async ({ controller }) => {
    controller.set(Article, { id: 1 }, articleFields(1) as never)
    return [controller, { key: 'User' }, 2]
  },
  [
    'User 2: It is kept as long as Article 1, which refers to it.',
    'It was last written by set Article 1 (0 ms ago).',
  ],
)

recordState(
  'only named',
  'another record names a record that no response had',
  async ({ controller }) => {
    controller.set(Article, { id: 1 }, articleFields(1, { author: 7 }) as never)
    return [controller, User, 7]
  },
  ['User 7: Only its primary key is known: no response had it.'],
)

recordState(
  'came before',
  'a record came with a list before the recording began',
  async ({ api, open }) => {
    const { controller } = open()
    await controller.fetch(api.todo.getList)
    recorded(controller)
    return [controller, Todo, 5]
  },
  [
    'Todo 5: It is kept for `keepLength` after its last use: a call with it was used 0 ms ago.',
    'It came with GET https://api.test/todo.',
    'It is in GET https://api.test/todo.',
  ],
)

recordState(
  'set before',
  'the application stored a record before the recording began',
  async ({ open }) => {
    const { controller } = open()
    controller.set(Todo, { id: 5 }, { title: 'By hand', userId: 1 })
    recorded(controller)
    return [controller, Todo, 5]
  },
  [
    'Todo 5: Nothing refers to it: the next garbage collection after `keepLength` drops it.',
    'It was written by an action that was not recorded.',
    'Not received: completed. Readers see the default of the class.',
  ],
)

recordState(
  'in no other list',
  'a record is not in lists, each for another reason',
  async ({ api, controller, server }) => {
    const ruled = createResource({
      ...{ path: '/ruled/:id', schema: Todo, urlPrefix: 'https://api.test' },
      filter: rule<Todo>(({ completed }) => completed),
    })
    const lists = [
      [api.todo.getList, { team: 3 }, '/todo?team=3'],
      [api.todo.getList, { page: 2 }, '/todo?page=2'],
      [api.todo.getList, { limit: 1 }, '/todo?limit=1'],
      [api.todo.getList, {}, '/todo'],
    ] as const
    for (const [list, args, path] of lists) {
      server.route(`GET ${path}`, [todoFields(6)])
      await controller.fetch(list, args as never)
    }
    controller.setResponse(ruled.getList, [])
    await controller.fetch(api.todo.get, { id: 5 })
    return [controller, Todo, 5]
  },
  [
    'Todo 5: It is kept for `keepLength` after its last use: a call with it was used 0 ms ago.',
    'It was last written by response Todo.get 5 (0 ms ago).',
    'It is not in Todo.getList {"team":3}: the record has no field team, so only the server can tell.',
    'It is not in Todo.getList {"page":2}: the list is one page, and only the server knows what is on it.',
    'It is not in Todo.getList {"limit":1}: the list is limited, and only the server knows what is in it.',
    'It is not in Todo.getList: the last response did not have it, and no mutation added it to this list since.',
    'It is not in Todo.getList: the rule of the list leaves it out.',
  ],
)
