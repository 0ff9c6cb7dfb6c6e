import { expect } from 'vitest'
import { Todo } from '../fixtures.js'
import { scenario, shown } from '../suite.js'

scenario.onReact18('4.5/setResponse', 'what is pushed shows at once, and ends a fallback', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  server.hold('GET /todo/5')
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  expect(reader.current()).toMatchObject({ state: 'fallback' })
  controller.setResponse(api.todo.get, { id: 5 }, { id: 5, title: 'Pushed' })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Pushed' })
  server.release()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Pushed' })
})

scenario.onReact18(
  '4.5/setError',
  'an error that is pushed is shown by the boundary of a reader without data',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold('GET /todo/5')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    controller.setError(api.todo.get, { id: 5 }, new Error('Pushed'))
    await settle()
    expect(reader.current()).toMatchObject({ state: 'error', error: { message: 'Pushed' } })
  },
  { isLogged: true },
)

scenario.onReact18(
  '4.5/resolve',
  'a request under way is settled by what came in another way',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold('GET /todo/5')
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    controller.resolve(api.todo.get, { args: [{ id: 5 }], response: { id: 5, title: 'Socket' } })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Socket' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Socket' })
  },
)

scenario.everywhere('4.5/batch', 'several writes are one render', async (stage) => {
  const { api, controller, mount, settle } = stage
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  const { renders } = reader
  controller.batch(() => {
    controller.set(Todo, { id: 5 }, { title: 'One' })
    controller.set(Todo, { id: 5 }, { title: 'Two' })
  })
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Two' })
  expect(reader.renders).toBe(renders + 1)
})
