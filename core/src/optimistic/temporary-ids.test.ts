import { expect, test } from 'vitest'
import { Controller, Entity, schema } from '../index.js'
import { optimistic } from '../optimistic.js'
import { createResource } from '../rest.js'

class Todo extends Entity {
  id: number | string = 0
  title = ''
  parent: number | string = 0
  static override key = 'Todo'
}

/** A create that is under way, and the bodies that were sent. */
async function setUp() {
  const sent: { url: string; body: unknown }[] = []
  let answer = (_response: Response) => {}
  const todos = createResource({
    path: '/todo/:id',
    schema: Todo,
    optimistic,
    fetchResponse: (url, { body }) => {
      sent.push({ url, body })
      return sent.length === 1
        ? new Promise<Response>((resolve) => (answer = resolve))
        : Promise.resolve(Response.json({ id: 8 }))
    },
  })
  const controller = new Controller()
  controller.setResponse(todos.getList, [])
  const creating = controller.fetch(todos.create, { title: 'a' })
  await expect.poll(() => sent.length).toBe(1)
  const id = String(controller.read(todos.getList).data?.[0]?.id)
  const create = async (body: object) => {
    const promise = controller.fetch(todos.create, body as never)
    await new Promise((resolve) => setTimeout(resolve))
    // It waits for the create that it names.
    expect(sent).toHaveLength(1)
    answer(Response.json({ id: 7, title: 'a' }))
    await creating
    await promise
    return sent[1]?.body
  }
  return { id, create }
}

test.each([FormData, URLSearchParams])(
  'a %o is sent with the real id in place of a temporary one',
  async (Form) => {
    const { id, create } = await setUp()
    const form = new Form()
    form.append('parent', id)
    form.append('title', `after ${id}`)
    form.append('tag', 'one')
    form.append('tag', 'two')
    const body = (await create(form)) as FormData
    expect(body).toBeInstanceOf(Form)
    expect([...body]).toEqual([
      ['parent', '7'],
      ['title', 'after 7'],
      ['tag', 'one'],
      ['tag', 'two'],
    ])
    // What the application made stays as it is.
    expect(form.get('parent')).toBe(id)
  },
)

test('a file in a form with a temporary id is sent as it is', async () => {
  const { id, create } = await setUp()
  const form = new FormData()
  form.append('parent', id)
  form.append('file', new File(['content'], 'name.txt', { type: 'text/plain' }))
  const body = (await create(form)) as FormData
  const file = body.get('file') as File
  expect([body.get('parent'), file.name, file.type, await file.text()]).toEqual([
    '7',
    'name.txt',
    'text/plain',
    'content',
  ])
})

test('a form without a temporary id is sent as the same object, at once', async () => {
  const sent: unknown[] = []
  const todos = createResource({
    path: '/todo/:id',
    schema: Todo,
    optimistic,
    fetchResponse: async (_url, { body }) => (sent.push(body), Response.json({ id: 1 })),
  })
  const form = new FormData()
  form.append('title', 'new-1')
  await new Controller().fetch(todos.create, form as never)
  expect(sent[0]).toBe(form)
})

test('temporary ids of two Controllers differ, and stand in an address as they are', async () => {
  const [one, other] = [await setUp(), await setUp()]
  expect(one.id).not.toBe(other.id)
  expect(encodeURIComponent(one.id)).toBe(one.id)
})

test('a reader that fetches nothing, and needs more than is expected, shows the record once it is created', async () => {
  class FullTodo extends Todo {
    text = ''
    static override validate({ text }: { readonly text?: string }) {
      return text === undefined ? 'text is missing' : undefined
    }
  }
  let answer = (_response: Response) => {}
  const answered = new Promise<Response>((resolve) => (answer = resolve))
  const todos = createResource({
    path: '/todo/:id',
    schema: FullTodo,
    optimistic,
    fetchResponse: () => answered,
  })
  const controller = new Controller()
  let id = ''
  const create = todos.create.extend({
    getOptimisticResponse: optimistic(({ temporaryId }, body: object) => {
      id = temporaryId
      return { ...body, id }
    }),
  })
  const creating = controller.fetch(create, { title: 'a' })
  expect(controller.get(FullTodo, { id })).toBeUndefined()
  expect(controller.read(todos.get, { id })).toMatchObject({ status: 'Invalid', data: undefined })
  answer(Response.json({ id: 7, title: 'a', text: 'b' }))
  const created = await creating
  expect(created).toMatchObject({ id: 7, text: 'b' })
  expect(controller.get(FullTodo, { id })).toBe(created)
  expect(controller.read(todos.get, { id })).toMatchObject({ status: 'Valid', data: created })
})

test('the count of a record that is being made begins with the default of its class', async () => {
  class Row extends Entity {
    id: number | string = 0
    title = ''
    notes = 0
    static override key = 'Row'
  }
  class FullRow extends Row {
    static override validate(fields: { readonly text?: unknown }) {
      return fields.text === undefined ? 'text is missing' : undefined
    }
  }
  class Note extends Entity {
    id: number | string = 0
    text = ''
    static override key = 'Note'
  }
  const rows = createResource({ path: '/row/:id', schema: FullRow, optimistic })
  const notes = createResource({ path: '/row/:rowId/note/:id', schema: Note, optimistic })
  const addNote = notes.create.extend({
    update: (_note: Note, { rowId }: { readonly rowId: number | string }) => ({
      [rows.get.key({ id: rowId })]: (row: Row) => ({ ...row, notes: row.notes + 1 }),
    }),
  })
  const controller = new Controller({
    fetch: async (url, init) => {
      const made = String(url).endsWith('note') ? { id: 5 } : { id: 9, text: '', notes: 0 }
      return Response.json({ ...(JSON.parse(init?.body as string) as object), ...made })
    },
  })
  const shown = () => controller.get(new schema.All(Row))?.[0]
  const made = controller.fetch(rows.create, { title: 'x' })
  const noted = controller.fetch(addNote, { rowId: shown()?.id as string }, { text: 'hi' })
  expect(shown()?.notes).toBe(1)
  await Promise.all([made, noted])
  expect(shown()).toMatchObject({ id: 9, notes: 1 })
})
