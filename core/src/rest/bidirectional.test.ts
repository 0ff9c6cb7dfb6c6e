import { expect, expectTypeOf, test } from 'vitest'
import { PagesObserver } from '../bindings.js'
import { Controller, Entity, schema } from '../index.js'
import { RestEndpoint, bidirectional, createResource } from '../rest.js'

class Message extends Entity {
  id = 0
  room = 0
  static override key = 'Message'
}

const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, room: 1 }))

/** A resource whose answers are given by address, and the addresses that it asked for. */
function messagesWith(answers: Readonly<Record<string, unknown>>) {
  const sent: string[] = []
  const resource = createResource({
    path: '/message/:id',
    schema: Message,
    searchParams: {} as { room?: number; around?: number },
    fetchResponse: (url) => {
      sent.push(url)
      return Promise.resolve(Response.json(answers[url]))
    },
  })
  return { resource, sent }
}

test('a previous page is a call of its own, and stands in front of its list', async () => {
  const { resource, sent } = messagesWith({
    '/message?room=1': rows(7, 8),
    '/message?before=7&room=1': rows(5, 6, 7),
  })
  const getMessages = bidirectional(resource.getList, { previous: 'before' })
  const controller = new Controller()
  await controller.fetch(getMessages, { room: 1 })
  const page = await controller.fetch(getMessages.getPreviousPage, { room: 1, before: 7 })
  expect(page.map(({ id }) => id)).toEqual([5, 6, 7])
  const { data } = controller.read(resource.getList, { room: 1 })
  expect(data?.map(({ id }) => id)).toEqual([5, 6, 7, 8])
  expect(data?.[0]).toBe(page[0])
  expect(sent).toEqual(['/message?room=1', '/message?before=7&room=1'])
  controller.dispose()
})

test('the start is sent by the list alone, and tells lists apart', async () => {
  const { resource, sent } = messagesWith({
    '/message?around=50&room=1': rows(49, 50),
    '/message?before=49&room=1': rows(48),
    '/message?after=50&room=1': rows(51),
  })
  const getMessages = bidirectional(resource.getList, {
    previous: 'before',
    next: 'after',
    start: 'around',
  })
  const controller = new Controller()
  const list = { room: 1, around: 50 }
  await controller.fetch(getMessages, list)
  await controller.fetch(getMessages.getPreviousPage, { ...list, before: 49 })
  await controller.fetch(getMessages.getPage, { ...list, after: 50 })
  expect(controller.read(getMessages, list).data?.map(({ id }) => id)).toEqual([48, 49, 50, 51])
  expect(controller.read(getMessages, { room: 1 }).data).toBeUndefined()
  expect(sent).toEqual(['/message?around=50&room=1', '/message?before=49&room=1', '/message?after=50&room=1'])
  controller.dispose()
})

test('a previous page that comes before its list makes a Stale list', async () => {
  const { resource } = messagesWith({
    '/message?room=1': rows(7, 8),
    '/message?before=7&room=1': rows(5, 6),
  })
  const getMessages = bidirectional(resource.getList, { previous: 'before' })
  const controller = new Controller()
  await controller.fetch(getMessages.getPreviousPage, { room: 1, before: 7 })
  expect(controller.read(getMessages, { room: 1 }).status).toBe('Stale')
  await controller.fetch(getMessages, { room: 1 })
  expect(controller.read(getMessages, { room: 1 }).data?.map(({ id }) => id)).toEqual([5, 6, 7, 8])
  controller.dispose()
})

test('a chosen list of several grows, and a schema without one is refused', () => {
  const getFeed = new RestEndpoint({
    path: '/feed',
    schema: { pinned: [Message], results: new schema.Collection([Message]) },
    paginationField: 'page',
    paginatedList: 'results',
  })
  const getBoth = bidirectional(getFeed, { previous: 'page' })
  expect(getBoth.getPreviousPage.schema.path).toEqual(['results'])
  expectTypeOf(getBoth.getPage).parameter(0).toHaveProperty('page')
  const getOne = new RestEndpoint({ path: '/message/:id', schema: Message })
  expect(() => bidirectional(getOne, { previous: 'before' })).toThrow(
    'GET /message/:id cannot be paginated: its schema has no list.',
  )
})

test('a reader with `previous` needs an endpoint for previous pages', () => {
  const { resource } = messagesWith({})
  const controller = new Controller()
  const options = { previous: () => ({ before: 1 }) }
  expect(() => new PagesObserver(controller, resource.getList, { room: 1 }, options)).toThrow(
    'which has no endpoint for previous pages',
  )
  const getMessages = bidirectional(resource.getList, { previous: 'before' })
  expect(() => new PagesObserver(controller, getMessages, { room: 1 }, options)).not.toThrow()
  controller.dispose()
})
