import { schema, withOptions } from '@selfsame/core'
import type { Controller, EndpointLike } from '@selfsame/core'
import { refetchOnFocus, refetchOnInterval, refetchOnReconnect } from '@selfsame/core/policies'
import { explain, explainRecord, record } from '@selfsame/devtools'
import { expect, onTestFinished } from 'vitest'
import { Article, Todo, User, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'
import type { Stage } from '../suite.js'
import { ManualNetwork, ManualPage } from '../surroundings.js'

const route = 'GET /todo/5'

/** A reader with the same name in each framework. */
const named = <E extends EndpointLike>(endpoint: E): E => withOptions(endpoint, { name: 'Detail' })

function recorded(controller: Controller): void {
  onTestFinished(record(controller))
}

scenario(
  'why/fetched/mounted',
  'a request says that its reader was mounted without data, or with Stale data',
  async (stage) => {
    const { api, controller, mount, pass, settle } = stage
    recorded(controller)
    const why = () => explain(controller, api.todo.get, { id: 5 })
    const reader = await mount('useSuspense', named(api.todo.get), { id: 5 })
    await settle()
    expect(why().fetched).toContain('because Detail mounted; nothing was cached')
    expect(why().now).toContain('its data is Valid for another 60 s')
    expect(why().readers).toEqual(['Detail'])
    await reader.unmount()
    await pass(72_000)
    expect(why().now).toContain('no mounted reader fetches it')
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    expect(why().fetched).toContain('because Detail mounted, Stale by 12 s')
  },
)

scenario(
  'why/fetched/lost',
  'a request says that its call was invalidated before its reader was mounted, or that its endpoint shows no Stale data',
  async ({ api, controller, mount, pass, settle }) => {
    recorded(controller)
    const why = (id: number) => explain(controller, api.todo.get, { id }).fetched
    await controller.fetch(api.todo.get, { id: 5 })
    controller.invalidate(api.todo.get, { id: 5 })
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    expect(why(5)).toContain('because Detail mounted; the call was invalidated')
    await controller.fetch(api.freshOnly, { id: 6 })
    await pass(72_000)
    await mount('useDLE', named(api.freshOnly), { id: 6 })
    await settle()
    expect(why(6)).toContain('because Detail mounted; the data expired 12 s ago')
    await controller.fetch(api.freshOnly, { id: 1 })
    controller.expireAll(api.freshOnly)
    await mount('useDLE', named(api.freshOnly), { id: 1 })
    await settle()
    expect(why(1)).toContain('because Detail mounted; the data was made Stale')
  },
)

scenario('why/fetched/arguments', 'a request says that its reader got other arguments', async (stage) => {
  const { api, controller, mount, settle } = stage
  recorded(controller)
  const reader = await mount('useDLE', named(api.todo.get), { id: 5 })
  await settle()
  await reader.change({ id: 6 })
  await settle()
  expect(explain(controller, api.todo.get, { id: 6 }).fetched).toContain('because Detail got new arguments')
})

scenario(
  'why/fetched/expired',
  'a request says that what is on screen was made Stale, or Invalid',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    recorded(controller)
    const why = () => explain(controller, api.todo.get, { id: 5 }).fetched
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    controller.expireAll(api.todo.get)
    await settle()
    expect(why()).toContain('because the data on screen was made Stale by expireAll Todo.get')
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(why()).toContain(
      'because the call became Invalid through invalidate Todo.get 5 while Detail showed it',
    )
  },
)

scenario(
  'why/fetched/interval',
  'a request says which policy asked, and one of the Controller that it was called',
  async ({ api, controller, mount, pass, settle }) => {
    recorded(controller)
    const why = () => explain(controller, api.todo.get, { id: 5 }).fetched
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    await pass(61_000)
    expect(why()).toContain('because its refetch interval elapsed, Stale by 1 s')
    await controller.fetch(api.todo.get, { id: 5 })
    expect(why()).toContain('because controller.fetch was called')
  },
  { controller: { middleware: [refetchOnInterval(61_000)] } },
)

scenario('why/not', 'a call that is not fetched says why: Stale data, an error', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  recorded(controller)
  const why = () => explain(controller, api.todo.get, { id: 5 })
  await mount('useDLE', named(api.todo.get), { id: 5 })
  await settle()
  await pass(61_000)
  expect(why().now).toBe(
    'It is not fetched: it is Stale, but that alone sends no request. It is fetched when a reader mounts, gets new arguments or becomes visible again, or by a policy such as `refetchOnFocus`.',
  )
  server.route(route, reply.status(500))
  await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
  expect(why().now).toContain('it failed (')
})

scenario('why/rendered', 'a reader says which commit it rendered for last', async (stage) => {
  const { api, controller, mount, settle } = stage
  recorded(controller)
  await mount('useSuspense', named(api.todo.get), { id: 5 })
  await settle()
  expect(explain(controller, api.todo.get, { id: 5 }).changed).toContain('response Todo.get 5')
  controller.set(Todo, { id: 5 }, { title: 'By hand' })
  await settle()
  expect(explain(controller, api.todo.get, { id: 5 }).changed).toContain('set Todo')
})

scenario('why/kept', 'a record says why it is kept, and why it was collected', async (stage) => {
  const { api, controller, mount, pass, server, settle } = stage
  server.route(route, todoFields(5))
  recorded(controller)
  const why = () => explainRecord(controller, Todo, 5).kept
  const reader = await mount('useSuspense', named(api.todo.get), { id: 5 })
  await settle()
  expect(why()).toContain('it is on screen: Todo.get 5')
  await reader.unmount()
  await pass(1000)
  expect(why()).toContain('a call with it was used')
  await pass(700_000)
  expect(why()).toContain('It was collected')
})

/** The texts of a call. */
function explained({ api, controller }: Stage, id = 5) {
  recorded(controller)
  return () => explain(controller, api.todo.get, { id })
}

scenario(
  'why/fetched/mutation',
  'a mutation says that it was called, and a request which mutation made the data on screen Stale',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const why = explained(stage)
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    server.route('PUT /todo/5', undefined)
    const update = api.todo.update.extend({ mayBeEmpty: true })
    await controller.fetch(update, { id: 5 }, { title: 'New' })
    await settle()
    expect(explain(controller, update, { id: 5 }, { title: 'New' }).fetched).toContain(
      'because it was called',
    )
    expect(why().fetched).toContain('because the data on screen was made Stale by response Todo.update 5')
  },
)

scenario(
  'why/fetched/shown',
  'a request says that its reader was hidden and is shown again',
  async (stage) => {
    const { api, driver, mount, pass, settle } = stage
    const why = explained(stage)
    const reader = await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    await reader.hide()
    await pass(72_000)
    await reader.show()
    await settle()
    // Svelte has nothing that hides a component and keeps it.
    const what = driver.startsWith('svelte') ? 'mounted' : 'became visible again'
    expect(why().fetched).toContain(`because Detail ${what}, Stale by 12 s`)
  },
)

scenario(
  'why/fetched/policies',
  'a request says that the window got the focus, or that the network is back',
  async (stage) => {
    const { api, open, pass, settle } = stage
    const page = new ManualPage()
    const network = new ManualNetwork()
    const { controller, mount } = open({
      middleware: [refetchOnFocus({ page }), refetchOnReconnect({ network })],
    })
    const why = explained({ ...stage, controller })
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    await pass(61_000)
    page.hide()
    page.show()
    await settle()
    expect(why().fetched).toContain('because the window regained focus, Stale by 1 s')
    await pass(62_000)
    network.set(false)
    network.set(true)
    await settle()
    expect(why().fetched).toContain('because the network came back, Stale by 2 s')
    await pass(63_000)
    controller.refetchStale()
    await settle()
    expect(why().fetched).toContain('because controller.refetchStale was called, Stale by 3 s')
  },
)

scenario(
  'why/fetched/retried',
  'a request says that a boundary was reset after an error',
  async (stage) => {
    const { api, mount, pass, server, settle } = stage
    const why = explained(stage)
    server.route(route, reply.status(500))
    const reader = await mount('useSuspense', named(api.todo.get), { id: 5 })
    await settle()
    server.route(route, todoFields(5))
    await reader.reset()
    await settle()
    expect(why().fetched).toContain('because Detail retried after an error; nothing was cached')
    // It had an answer since: the next request has another cause.
    await pass(72_000)
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    expect(why().fetched).toContain('because Detail mounted, Stale by 12 s')
  },
  { isLogged: true },
)

scenario('why/fetched/poll', 'a request says that it is polled', async (stage) => {
  const { api, mount, pass, settle } = stage
  const why = explained(stage)
  await mount('useLive', named(api.todo.get.extend({ pollFrequency: 5000 })), { id: 5 })
  await settle()
  await pass(5000)
  await settle()
  expect(why().fetched).toContain('because its endpoint polls')
})

scenario('why/fetched/prefetch', 'a request says that it is prefetched', async (stage) => {
  const { api, mount, settle } = stage
  const why = explained(stage)
  const reader = await mount('usePrefetch', api.todo.get, { id: 5 })
  const { prefetch } = shown(reader) as { readonly prefetch: () => void }
  prefetch()
  await settle()
  expect(why().fetched).toContain('because it was prefetched; nothing was cached')
})

scenario(
  'why/not/others',
  'a call that is not fetched says why: never read, under way, Valid for ever, hidden by a mutation',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const why = explained(stage)
    expect(why().now).toBe('Nothing has read it, so nothing is stored.')
    server.hold(route)
    const reader = await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    expect(why().now).toBe('A request is in flight.')
    server.release()
    await settle()
    await reader.unmount()
    const lasting = api.todo.get.extend({ dataExpiryLength: Infinity })
    await controller.fetch(lasting, { id: 5 })
    expect(why().now).toBe('It is not fetched: its data never expires.')
    server.route('DELETE /todo/6', reply.status(204))
    server.hold('DELETE /todo/6')
    const sent = controller.fetch(api.hopeful.delete, { id: 6 })
    const hidden = await mount('useDLE', named(api.hopeful.get), { id: 6 })
    await settle()
    expect(explain(controller, api.hopeful.get, { id: 6 }).now).toContain(
      'It is not fetched: a pending mutation removes its data.',
    )
    await hidden.unmount()
    server.release()
    await sent
  },
)

scenario(
  'why/rendered/others',
  'a reader says that it rendered for an optimistic mutation, its failure, a new response, an error, a delete, a reset',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const why = explained(stage)
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    const rendered = () => why().changed
    server.route('PATCH /todo/5', reply.status(500))
    server.hold('PATCH /todo/5')
    const sent = controller.fetch(api.hopeful.partialUpdate, { id: 5 }, { title: 'Early' })
    await settle()
    expect(rendered()).toContain('fetch Todo.partialUpdate 5, {"title":"Early"}, because it was called')
    server.release()
    await sent.catch(() => {})
    await settle()
    expect(rendered()).toContain('error Todo.partialUpdate 5')
    server.route(route, reply.status(500))
    await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
    await settle()
    expect(rendered()).toContain('error Todo.get 5')
    server.route(route, todoFields(5))
    await controller.fetch(api.todo.get, { id: 5 })
    await settle()
    server.hold(route)
    controller.set(new schema.Delete(Todo), { id: 5 }, { id: 5 })
    await settle()
    expect(rendered()).toContain('set ')
    controller.resetAll()
    await settle()
    expect(rendered()).toContain('resetAll')
    server.release()
  },
)

scenario(
  'why/kept/others',
  'a record says that another one keeps it, that nothing names it, that it is not there, or was deleted',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    recorded(controller)
    const why = (entity: typeof Todo | typeof User | typeof Article, id: number) =>
      explainRecord(controller, entity, id).kept
    expect(why(Todo, 5)).toBe('It is not stored.')
    const author = User.fromJS({ id: 2, name: 'Maja' })
    controller.set(Article, { id: 1 }, { id: 1, title: 'a', content: 'b', author })
    expect(why(User, 2)).toBe('It is kept as long as Article 1, which refers to it.')
    expect(why(Article, 1)).toBe(
      'Nothing refers to it: the next garbage collection after `keepLength` drops it.',
    )
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    controller.set(new schema.Delete(Article), { id: 1 }, { id: 1 })
    expect(why(Article, 1)).toBe('It was deleted.')
  },
)
