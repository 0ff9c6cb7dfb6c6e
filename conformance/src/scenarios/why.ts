import { withOptions } from '@selfsame/core'
import type { Controller, EndpointLike } from '@selfsame/core'
import { refetchOnInterval } from '@selfsame/core/policies'
import { explain, explainRecord, record } from '@selfsame/devtools'
import { expect, onTestFinished } from 'vitest'
import { Todo, todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario } from '../suite.js'

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
    expect(why().fetched).toContain('because Detail mounted, and there is no data')
    expect(why().now).toContain('its data is Valid for another 60 s')
    expect(why().readers).toEqual(['Detail'])
    await reader.unmount()
    await pass(72_000)
    expect(why().now).toContain('no mounted reader that fetches reads it')
    await mount('useDLE', named(api.todo.get), { id: 5 })
    await settle()
    expect(why().fetched).toContain('because Detail mounted, Stale by 12 s')
  },
)

scenario('why/fetched/arguments', 'a request says that its reader got other arguments', async (stage) => {
  const { api, controller, mount, settle } = stage
  recorded(controller)
  const reader = await mount('useDLE', named(api.todo.get), { id: 5 })
  await settle()
  await reader.change({ id: 6 })
  await settle()
  expect(explain(controller, api.todo.get, { id: 6 }).fetched).toContain('because Detail got other arguments')
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
    expect(why()).toContain('because the data on screen was made Stale')
    controller.invalidate(api.todo.get, { id: 5 })
    await settle()
    expect(why()).toContain('because the call became Invalid while Detail showed it')
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
    expect(why()).toContain('because the interval of a policy is over, Stale by 1 s')
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
    'It is not fetched: it is Stale, but time alone asks for nothing. The next mount, other arguments or a policy check it.',
  )
  server.route(route, reply.status(500))
  await controller.fetch(api.todo.get, { id: 5 }).catch(() => {})
  expect(why().now).toContain('its last request failed')
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
  expect(why()).toContain('a call that has it was used')
  await pass(700_000)
  expect(why()).toContain('it was collected')
})
