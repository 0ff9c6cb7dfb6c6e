import { expect, test } from 'vitest'
import { Controller, Entity } from '../index.js'
import { RestEndpoint, createResource } from '../rest.js'

class Item extends Entity {
  id = 0
  title = ''
  static override key = 'Item'
}

const form = (group: string) => {
  const data = new FormData()
  data.set('group', group)
  return data
}

/** Lists of groups whose items do not carry their group, and mutations that are answered without it. */
function setUp(fields: object = {}) {
  const items = createResource({
    path: '/groups/:group/items/:id',
    schema: Item,
    fetchResponse: async () => Response.json({ id: 1, ...fields }),
  })
  const { getList } = items
  const controller = new Controller()
  controller.setResponse(getList, { group: 'five' }, [{ id: 1 }, { id: 2 }])
  controller.setResponse(getList, { group: 'ten' }, [{ id: 3 }])
  controller.setResponse(getList, { group: 'six' }, [{ id: 4 }])
  const shown = () =>
    ['five', 'ten', 'six'].map((group) => {
      const { data, status } = controller.read(getList, { group })
      return `${data?.map(({ id }) => id).join()} ${status}`
    })
  return { ...items, controller, shown }
}

const moved = ['2 Valid', '3,1 Valid', '4 Valid']
const unmoved = ['1,2 Valid', '3 Valid', '4 Valid']

test.each([
  ['data', { group: 'ten' }, {}, moved],
  ['a form', form('ten'), {}, moved],
  ['search params', new URLSearchParams({ group: 'ten' }), {}, moved],
  ['a body that does not name the list', { title: 'Edited' }, {}, unmoved],
  ['a body that names the same list', { group: 'five', title: 'Edited' }, {}, unmoved],
  // The server decides.
  ['an answer with another group', { group: 'ten' }, { group: 'six' }, ['2 Valid', '3 Valid', '4,1 Valid']],
] as const)('a move by %s', async (_name, body, answer, expected) => {
  const { controller, getList, partialUpdate, shown } = setUp(answer)
  await controller.fetch(getList.move, { group: 'five', id: 1 }, body as object)
  expect(shown()).toEqual(expected)
  const other = setUp(answer)
  await other.controller.fetch(partialUpdate, { group: 'five', id: 1 }, body as object)
  expect(other.shown()).toEqual(expected)
  expect(shown()).toEqual(other.shown())
})

test('a single argument names the list that a record is in, and says of no other that it joins', async () => {
  const { controller, getList, shown } = setUp()
  const change = { method: 'POST', body: undefined, schema: getList.schema.move } as const
  const fetchResponse = async () => Response.json({ id: 1 })
  const touch = new RestEndpoint({ path: '/groups/:group/items/:id/touch', ...change, fetchResponse })
  await controller.fetch(touch, { group: 'five', id: 1 })
  expect(shown()).toEqual(unmoved)
  await controller.fetch(touch, { group: 'ten', id: 1 })
  expect(shown()).toEqual(['2 Valid', '3 Stale', '4 Valid'])
})

test('a created record joins the list that the body names, before that of the params', async () => {
  const { controller, getList, shown } = setUp({ id: 9 })
  const add = new RestEndpoint({
    path: '/items',
    method: 'POST',
    schema: getList.schema.push,
    fetchResponse: async () => Response.json({ id: 9 }),
  })
  await controller.fetch(add.extend({ path: '/groups/:group/items' }), { group: 'five' }, { group: 'ten' })
  expect(shown()).toEqual(['1,2 Valid', '3,9 Valid', '4 Valid'])
})
