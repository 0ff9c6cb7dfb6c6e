import { describe, expect, test } from 'vitest'
import { Controller, Endpoint, Entity, Query, normalize, schema } from '../index.js'
import { RestEndpoint, createResource } from '../rest.js'
import { optimistic } from '../optimistic/optimistic.js'

class Link extends Entity {
  id = 0
  type = 'link'
  static override key = 'Link'
}
class Post extends Entity {
  id = 0
  type = 'post'
  static override key = 'Post'
}

const item = new schema.Union({ link: Link, post: Post }, 'type')
const chosen = new schema.Union({ link: Link, post: Post }, ({ type }: { type: string }) =>
  type.toLowerCase(),
)

/** A resource of items of two classes, over a server whose response the test sets. */
function createItems(items: unknown[], deleted: unknown = {}) {
  class Scripted<const Options extends object> extends RestEndpoint<Options & { path: string }> {
    override async fetchResponse(_url: string, init: RequestInit) {
      return Response.json(init.method === 'GET' ? items : deleted)
    }
  }
  const Endpoint = Scripted as typeof RestEndpoint
  return { items: createResource({ path: '/item/:id', schema: item, Endpoint }), Endpoint }
}

const namesOf = (list: readonly (Link | Post)[] | undefined) => list?.map(({ id, type }) => `${type} ${id}`)

describe('a resource of a Union', () => {
  test.each([
    ['the answer', { id: 1, type: 'post' }, { id: 1 }],
    ['the arguments', {}, { id: 1, type: 'post' }],
    ['the arguments beside an answer', { isDeleted: true }, { id: 1, type: 'post' }],
  ])('deletes the record of the class that %s tells', async (_by, deleted, params) => {
    const controller = new Controller()
    const { items } = createItems(
      [
        { id: 1, type: 'link' },
        { id: 1, type: 'post' },
      ],
      deleted,
    )
    await controller.fetch(items.getList)
    await controller.fetch(items.delete, params)
    expect(namesOf(controller.read(items.getList).data)).toEqual(['link 1'])
    expect(controller.read(items.getList).status).toBe('Valid')
  })

  test('deletes the record that is stored under the key, where nothing tells its class', async () => {
    const controller = new Controller()
    const { items } = createItems([
      { id: 1, type: 'link' },
      { id: 2, type: 'post' },
    ])
    await controller.fetch(items.getList)
    expect(await controller.fetch(items.delete, { id: 2 })).toEqual({ id: 2 })
    expect(namesOf(controller.read(items.getList).data)).toEqual(['link 1'])
    expect(controller.get(Post, { id: 2 })).toBe(undefined)
  })

  test('makes what shows them Stale, where several classes have a record of that key', async () => {
    const controller = new Controller()
    const { items } = createItems([
      { id: 1, type: 'link' },
      { id: 1, type: 'post' },
    ])
    const getOther = new Endpoint(() => Promise.resolve([{ id: 2, type: 'link' }]), {
      name: 'other',
      schema: [item],
    })
    await controller.fetch(items.getList)
    await controller.fetch(getOther)
    const data = controller.read(items.getList).data
    controller.read(getOther)
    await controller.fetch(items.delete, { id: 1 })
    expect(controller.read(items.getList)).toMatchObject({ status: 'Stale', data })
    expect(controller.read(getOther).status).toBe('Valid')
  })

  test('makes lists Stale that nobody reads, and the records', async () => {
    const controller = new Controller()
    const { items } = createItems([
      { id: 1, type: 'link' },
      { id: 1, type: 'post' },
    ])
    await controller.fetch(items.getList, { author: 5 })
    const getPost = new Endpoint(({ id }: { id: number }) => Promise.resolve({ id }), {
      name: 'getPost',
      schema: Post,
    })
    expect(controller.read(getPost, { id: 1 }).status).toBe('Valid')
    await controller.fetch(items.delete, { id: 1 })
    expect(controller.read(items.getList, { author: 5 }).status).toBe('Stale')
    expect(controller.read(getPost, { id: 1 })).toMatchObject({ status: 'Stale', data: { id: 1 } })
  })

  test.each(['answered', 'failed'])(
    'is told by what is stored below an update that is %s later',
    async (how) => {
      const controller = new Controller()
      const { items } = createItems([])
      let answer: (response: object) => void = () => {}
      let refuse: (reason: Error) => void = () => {}
      const answered = new Promise<object>((resolve, reject) => ([answer, refuse] = [resolve, reject]))
      const create = new Endpoint(() => answered, {
        name: 'create',
        schema: Link,
        sideEffect: true,
        getOptimisticResponse: optimistic(() => ({ id: 1, type: 'link', url: 'expected' })),
      })
      controller.set(Post, { id: 1 }, { type: 'post' })
      const created = controller.fetch(create).catch(() => 'failed')
      expect(controller.get(Link, { id: 1 })).toMatchObject({ id: 1 })
      // Only one record of that key was received; the other is expected.
      await controller.fetch(items.delete, { id: 1 })
      expect(controller.get(Post, { id: 1 })).toBe(undefined)
      expect(controller.get(Link, { id: 1 })).toMatchObject({ id: 1 })
      if (how === 'answered') answer({ id: 1, type: 'link' })
      else refuse(new Error('refused'))
      await created
      expect(controller.get(Link, { id: 1 })?.id).toBe(how === 'answered' ? 1 : undefined)
    },
  )

  test('may be expected: what is stored tells the class', async () => {
    const controller = new Controller()
    const { items } = createItems([])
    for (const [each, id] of [
      [Link, 1],
      [Post, 1],
      [Post, 2],
    ] as const)
      controller.set(each, { id }, {})
    const expected = items.delete.extend({
      getOptimisticResponse: optimistic((_snapshot: unknown, params: { id: number }) => params),
    })
    const both = controller.fetch(expected, { id: 1 })
    const one = controller.fetch(expected, { id: 2 })
    expect(controller.get(Post, { id: 2 })).toBe(undefined)
    expect(controller.get(Post, { id: 1 })).toMatchObject({ id: 1 })
    await Promise.all([both, one])
    expect(controller.get(Post, { id: 2 })).toBe(undefined)
    expect(controller.get(Link, { id: 1 })).toMatchObject({ id: 1 })
  })

  test('in an object deletes as well', async () => {
    const controller = new Controller()
    const wrapped = createResource({
      path: '/item/:id',
      schema: { data: item },
      Endpoint: createItems([]).Endpoint,
    })
    controller.set(Post, { id: 1 }, {})
    await controller.fetch(wrapped.delete, { id: 1 })
    expect(controller.get(Post, { id: 1 })).toBe(undefined)
  })

  test('changes nothing where no such record is stored', async () => {
    const controller = new Controller()
    const { items } = createItems([{ id: 1, type: 'link' }])
    await controller.fetch(items.getList)
    await controller.fetch(items.delete, { id: 5 })
    expect(controller.read(items.getList)).toMatchObject({ status: 'Valid', data: [{ id: 1 }] })
  })
})

describe('Delete of a Union', () => {
  test('removes by controller.set, and by a function that tells the class', () => {
    const controller = new Controller()
    const all = new Query(new schema.All(item))
    for (const id of [1, 2, 3]) controller.set(item, {}, { id, type: 'post' })
    controller.set(new schema.Delete(item), { id: 1 }, {})
    controller.set(new schema.Delete(chosen), { id: 2 }, { type: 'POST' })
    // The function throws, because the field is missing.
    controller.set(new schema.Delete(chosen), { id: 3 }, {})
    expect(controller.get(all)).toEqual([])
  })

  test('is an error where nothing names a record', () => {
    const call = () => new Controller().set(new schema.Delete(item), {}, {})
    expect(call).toThrow('Entity "Link" has no primary key')
  })

  test('is taken apart without a store', () => {
    expect(normalize(new schema.Delete(item), { id: 1, type: 'post' })).toEqual({ result: '1', entities: {} })
  })

  test('is refused for what is neither a class nor a Union', () => {
    expect(() => new schema.Delete([Link] as never)).toThrow(
      'schema.Delete received neither an Entity class nor a Union.',
    )
    expect(() => new schema.Delete(undefined as never)).toThrow('neither an Entity class nor a Union')
  })
})
