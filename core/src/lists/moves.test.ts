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

/** Two lists of groups, items whose group the client does not know, and mutations whose response names it. */
function setUpUntold(answer: object) {
  const items = createResource({
    path: '/items/:id',
    schema: Item,
    searchParams: {} as { group?: string },
    fetchResponse: async () => Response.json(answer),
  })
  const { getList } = items
  const controller = new Controller()
  controller.setResponse(getList, { group: 'five' }, [{ id: 1 }])
  controller.setResponse(getList, { group: 'ten' }, [{ id: 3 }])
  controller.set(Item, { id: 2 }, { id: 2 })
  const shown = () =>
    ['five', 'ten'].map((group) => {
      const { data, status } = controller.read(getList, { group })
      return `${data?.map(({ id }) => id).join()} ${status}`
    })
  return { ...items, controller, shown }
}

// No row of the lists tells that their argument is a value of the field.
test.each([
  ['a record of no list', { id: 2, group: 'five' }, {}, ['1 Stale', '3 Stale']],
  ['a record that leaves another list', { id: 1, group: 'ten' }, {}, ['1 Stale', '3 Stale']],
  ['a record that stands there', { id: 1, group: 'five' }, {}, ['1 Valid', '3 Stale']],
  ['a response without the group', { id: 2 }, {}, ['1 Valid', '3 Valid']],
  ['a body that names the group', { id: 2, group: 'five' }, { group: 'five' }, ['1,2 Valid', '3 Stale']],
] as const)('a response is the first to tell the list of %s', async (_name, answer, body, expected) => {
  const { controller, getList, partialUpdate, update, shown } = setUpUntold(answer)
  await controller.fetch(partialUpdate, { id: answer.id }, { title: 'Edited', ...body })
  expect(shown()).toEqual(expected)
  for (const endpoint of [update, getList.move]) {
    const other = setUpUntold(answer)
    await other.controller.fetch(endpoint, { id: answer.id }, { title: 'Edited', ...body })
    expect(other.shown()).toEqual(expected)
  }
})

test('a list that was asked for before a response told the list of a record is Stale without the record', async () => {
  const { controller, getList, partialUpdate } = setUpUntold({})
  let answer = (_response: Response) => {}
  const response = new Promise<Response>((resolve) => (answer = resolve))
  const list = getList.extend({ fetchResponse: () => response })
  const read = controller.fetch(list, { group: 'five' })
  controller.setResponse(partialUpdate, { id: 2 }, {}, { id: 2, group: 'five' } as object)
  answer(Response.json([{ id: 1 }]))
  await read
  expect(controller.read(list, { group: 'five' }).status).toBe('Stale')
})

test('an edit of a record whose group is known makes no list Stale', async () => {
  const { controller, partialUpdate, shown } = setUpUntold({ id: 2, group: 'five' })
  const known = { id: 2, group: 'five' }
  controller.set(Item, { id: 2 }, known)
  await controller.fetch(partialUpdate, { id: 2 }, { title: 'Edited' })
  expect(shown()).toEqual(['1 Valid', '3 Valid'])
})
