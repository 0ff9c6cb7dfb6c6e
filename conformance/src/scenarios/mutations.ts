import { expect } from 'vitest'
import type { Todo } from '../fixtures.js'
import { todoFields } from '../fixtures.js'
import { reply } from '../server.js'
import { scenario, shown } from '../suite.js'

const route = 'GET /todo/5'

scenario.onReact18(
  'F9/result',
  'the store shows a mutation’s result when its promise resolves',
  async (stage) => {
    const { api, controller, mount, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const value = await controller.fetch(api.todo.partialUpdate, { id: 5 }, { completed: true })
    expect(controller.read(api.todo.get, { id: 5 }).data).toBe(value)
    await settle()
    expect(shown(reader)).toBe(value)
  },
)

scenario('F11', 'controller.fetch gives the data that readers show', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const article = await controller.fetch(api.article.get, { id: 1 })
  const reader = await mount('useSuspense', api.article.get, { id: 1 })
  expect(await controller.fetch(api.settings)).toEqual({ theme: 'dark' })
  expect(await controller.fetch(api.todo.delete, { id: 5 })).toEqual({ id: 5 })
  await settle()
  expect(shown(reader)).toBe(article)
  expect(server.requests).toEqual(['GET /article/1', 'GET /settings', 'DELETE /todo/5'])
})

scenario(
  'F10',
  'a mutation whose answer cannot be used rejects, and changes nothing on screen',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route('POST /article', { id: 9, title: 'Without content' })
    server.route('PATCH /todo/5', reply.status(422, { title: 'too short' }))
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    const data = shown(reader)
    await expect(controller.fetch(api.article.create, { title: 'x' })).rejects.toMatchObject({
      code: 'record-unusable',
    })
    await expect(controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: '' })).rejects.toMatchObject({
      status: 422,
      body: { title: 'too short' },
    })
    await settle()
    expect(shown(reader)).toBe(data)
    expect(controller.get(api.summaries.schema[0], { id: 9 })).toBeUndefined()
  },
)

scenario('F4/PATCH', 'an old read that is answered after a PATCH does not undo it', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  server.hold(route)
  const reader = await mount('useSuspense', api.todo.get, { id: 5 })
  await settle()
  await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Changed' })
  server.release()
  await settle()
  expect(shown(reader)).toMatchObject({ title: 'Changed' })
  expect(server.requests).toEqual([route, 'PATCH /todo/5'])
})

scenario(
  'F4/slow PATCH',
  'a PATCH that is answered after a read which started later is not lost',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold('PATCH /todo/5')
    const patched = controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Changed' })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    server.release()
    await patched
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Changed' })
  },
)

scenario(
  'F4/DELETE',
  'an old list that is answered after a DELETE does not bring the record back',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    await controller.fetch(api.todo.get, { id: 5 })
    server.hold('GET /todo')
    const list = await mount('useSuspense', api.todo.getList)
    const detail = await mount('useCache', api.todo.get, { id: 5 })
    await settle()
    await controller.fetch(api.todo.delete, { id: 5 })
    server.release()
    await settle()
    expect((shown(list) as Todo[]).map(({ id }) => id)).toEqual([6])
    expect(shown(detail)).toBeUndefined()
  },
)

scenario(
  'F4/DELETE/detail',
  'an old read that is answered after a DELETE does not bring the record back',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.hold(route)
    const fetched = controller.fetch(api.todo.get, { id: 5 })
    await controller.fetch(api.todo.delete, { id: 5 })
    const cached = await mount('useCache', api.todo.get, { id: 5 })
    server.release()
    await fetched.catch(() => {})
    await settle()
    expect(shown(cached)).toBeUndefined()
  },
)

scenario(
  'S24',
  'a partial answer resets no field, and defaults stand for what was never sent',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    server.route(route, { id: 5, title: 'Short' })
    server.route('PATCH /todo/5', { id: 5, completed: true })
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Short', completed: false, userId: 0 })
    await controller.fetch(api.todo.partialUpdate, { id: 5 }, { completed: true })
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Short', completed: true, userId: 0 })
  },
)

scenario(
  '4.1/delete',
  'a list drops a deleted record, and gets it back when it is created anew',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const list = await mount('useSuspense', api.todo.getList)
    await settle()
    const other = (shown(list) as Todo[])[1]
    await controller.fetch(api.todo.delete, { id: 5 })
    await settle()
    expect(shown(list)).toEqual([other])
    expect((shown(list) as Todo[])[0]).toBe(other)
    server.route('PUT /todo/5', todoFields(5, { title: 'Again' }))
    await controller.fetch(api.todo.update, { id: 5 }, { title: 'Again' })
    await settle()
    expect(shown(list)).toMatchObject([{ title: 'Again' }, { id: 6 }])
    expect(server.requests).toEqual(['GET /todo', 'DELETE /todo/5', 'PUT /todo/5'])
  },
)

scenario.onReact18(
  'F5/mutation',
  'a mutation on its way is dropped by a reset, and rejects',
  async (stage) => {
    const { api, controller, mount, server, settle } = stage
    const reader = await mount('useSuspense', api.todo.get, { id: 5 })
    await settle()
    server.hold('PATCH /todo/5')
    const patched = controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Of the previous user' })
    controller.resetAll()
    await expect(patched).rejects.toMatchObject({ code: 'hard-reset' })
    server.release()
    await settle()
    expect(shown(reader)).toMatchObject({ title: 'Todo 5' })
    expect(server.requests).toEqual([route, 'PATCH /todo/5', route])
  },
)

scenario('F4/list', 'a list that was asked for before a PATCH does not undo it', async (stage) => {
  const { api, controller, mount, server, settle } = stage
  const detail = await mount('useSuspense', api.todo.get, { id: 5 })
  server.hold('GET /todo')
  const list = await mount('useSuspense', api.todo.getList)
  await settle()
  await controller.fetch(api.todo.partialUpdate, { id: 5 }, { title: 'Changed' })
  server.release()
  await settle()
  expect(shown(detail)).toMatchObject({ title: 'Changed' })
  expect((shown(list) as Todo[])[0]).toBe(shown(detail))
  expect(shown(list)).toMatchObject([{ title: 'Changed' }, { title: 'Todo 6' }])
})
