import { describe, expect, test } from 'vitest'
import { schema } from '../index.js'
import { memoryStorage } from '../storage.js'
import { Todo, createBrowser, settle } from './testing-stage.js'

const stored = async ({ storage }: ReturnType<typeof createBrowser>) => {
  const rows = await storage.list('outbox/')
  return rows.filter(([, row]) => (row as { done: unknown }).done === null)
}

describe('a mutation that the server refuses, with onRefused: drop', () => {
  const onRefused = () => 'drop' as const

  test('rejects with the error of the server, is rolled back, and is not kept over a reload', async () => {
    const stage = createBrowser()
    const { controller, box } = stage.open({ onRefused })
    await controller.fetch(stage.todos.getList)
    stage.server.fault = ({ name }) => (name.startsWith('PATCH') ? 422 : undefined)
    const saving = controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: '' })
    await expect(saving).rejects.toMatchObject({ status: 422, body: { message: 'Status 422' } })
    await settle()
    expect([box.mutations, await stored(stage)]).toEqual([[], []])
    expect(controller.get(Todo, { id: 1 })?.title).toBe('Todo 1')
    stage.crash(controller)
    const second = stage.open({ onRefused })
    await second.box.ready
    expect(second.box.mutations).toEqual([])
  })

  test('is kept if the page was reloaded before the answer', async () => {
    const stage = createBrowser()
    const first = stage.open({ onRefused })
    stage.network.set(false)
    first.controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: '' }).catch(() => {})
    await first.box.written()
    stage.crash(first.controller)
    stage.server.fault = () => 422
    stage.network.set(true)
    const second = stage.open({ onRefused })
    await settle()
    expect(second.box.mutations).toMatchObject([{ status: 'failed', reason: 'refused' }])
  })

  test('rejects in the tab that made it, if another tab sent it', async () => {
    const stage = createBrowser()
    stage.network.set(false)
    const other = stage.open({ onRefused })
    const { controller, box } = stage.open({
      onRefused,
      network: { isOnline: () => false, subscribe: () => () => {} },
    })
    const saving = controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: '' })
    saving.catch(() => {})
    await box.written()
    await settle()
    stage.server.fault = () => 422
    stage.network.set(true)
    await expect(saving).rejects.toMatchObject({ status: 422 })
    await settle()
    expect([box.mutations, other.box.mutations, await stored(stage)]).toEqual([[], [], []])
  })

  test('takes what names its record with it', async () => {
    const stage = createBrowser()
    const { controller, box } = stage.open({ onRefused })
    stage.network.set(false)
    const creating = controller.fetch(stage.todos.create, { title: '' })
    const [made] = controller.get(new schema.All(Todo)) ?? []
    const editing = controller.fetch(stage.todos.partialUpdate, { id: made!.id }, { title: 'b' })
    editing.catch(() => {})
    await box.written()
    stage.server.fault = () => 422
    stage.network.set(true)
    await expect(creating).rejects.toMatchObject({ status: 422 })
    await expect(editing).rejects.toMatchObject({ code: 'outbox-dropped' })
    await settle()
    expect([box.mutations, await stored(stage)]).toEqual([[], []])
  })

  test.each(['keep', undefined] as const)(
    'is kept where it returns %s, or is not given',
    async (decision) => {
      const stage = createBrowser()
      const { controller, box } = stage.open(decision === undefined ? {} : { onRefused: () => decision })
      stage.server.fault = () => 422
      const saving = controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: '' })
      await expect(saving).rejects.toMatchObject({ status: 422 })
      await settle()
      expect(box.mutations).toMatchObject([{ status: 'failed', reason: 'refused' }])
    },
  )

  test('is asked with the mutation and the error, and not again for one that is retried', async () => {
    const stage = createBrowser()
    const asked: unknown[] = []
    const { controller, box } = stage.open({
      onRefused: ({ endpoint, args }, error) => {
        asked.push([endpoint, args, (error as Error & { status: number }).status])
        return 'keep'
      },
    })
    stage.server.fault = () => 403
    controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: '' }).catch(() => {})
    await settle()
    await box.retry()
    await settle()
    expect(asked).toEqual([['Todo.partialUpdate', [{ id: 1 }, { title: '' }], 403]])
    expect(box.mutations).toMatchObject([{ status: 'failed', reason: 'refused' }])
  })
})

describe('a response that a step of the application cannot use', () => {
  const fail = (error: Error) => () => {
    throw error
  }
  test.each([
    ['process', { process: fail(new Error('no')) }],
    ['process, by a mistake', { process: (value: { a: { b: unknown } }) => value.a.b }],
    ['parseResponse', { parseResponse: fail(new RangeError('no')) }],
  ])('is no reason to send a mutation again: %s', async (_, options) => {
    const stage = createBrowser()
    const { controller, box } = stage.open()
    await controller.fetch(stage.todos.getList)
    const save: typeof stage.todos.update = stage.todos.update.extend({
      ...options,
      name: 'save',
    } as never) as never
    box.add(save)
    const saving = controller.fetch(save, { id: 1 }, { title: 'a' })
    saving.catch(() => {})
    await settle()
    stage.clock.advance(60_000)
    await settle()
    await expect(saving).rejects.toThrow(/no|undefined/)
    expect(stage.server.applied).toHaveLength(1)
    expect(box.mutations).toMatchObject([{ status: 'failed', reason: 'refused' }])
    // The server has done it.
    expect(controller.read(stage.todos.get, { id: 1 }).status).toBe('Stale')
  })
})

describe('written()', () => {
  test('rejects while a mutation cannot be stored, and resolves when it is', async () => {
    const stage = createBrowser()
    const { controller, box } = stage.open()
    await box.ready
    stage.network.set(false)
    stage.storageFault.isFailing = () => true
    controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: 'a' }).catch(() => {})
    await expect(box.written()).rejects.toMatchObject({
      code: 'outbox-unwritten',
      message: expect.stringContaining('Todo.partialUpdate') as string,
      cause: { message: 'The connection to the storage was lost.' },
    })
    expect(box.mutations).toMatchObject([{ isWritten: false }])
    stage.storageFault.isFailing = () => false
    await box.written()
    expect(box.mutations).toMatchObject([{ isWritten: true }])
  })

  test('rejects while the change of a stored mutation is not', async () => {
    const stage = createBrowser()
    const { controller, box } = stage.open()
    stage.network.set(false)
    controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: 'a' }).catch(() => {})
    await box.written()
    let isFull = false
    const list = box.mutations
    stage.storageFault.isFailing = () => isFull
    const edited = box.edit(list[0]!.id, { id: 1 }, { title: 'b' })
    isFull = true
    await edited
    await expect(box.written()).rejects.toMatchObject({ code: 'outbox-unwritten' })
    isFull = false
    await box.written()
    expect(JSON.stringify(await stored(stage))).toContain('"b"')
  })

  test('rejects where a page has no storage, until all is sent', async () => {
    const broken = { ...memoryStorage(), list: () => Promise.reject(new Error('refused')) }
    const stage = createBrowser(broken)
    const { controller, box } = stage.open()
    await box.ready
    stage.network.set(false)
    controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: 'a' }).catch(() => {})
    await expect(box.written()).rejects.toMatchObject({ code: 'outbox-unwritten' })
    stage.network.set(true)
    await settle()
    expect(stage.server.todos.get(1)?.title).toBe('a')
    await box.written()
  })
})

describe.each([404, 410])('a deletion that is answered by %s', (status) => {
  test('is done, in each tab; its lists are asked for', async () => {
    const stage = createBrowser()
    const [one, two] = [stage.open(), stage.open()]
    for (const { controller } of [one, two]) await controller.fetch(stage.todos.getList)
    stage.network.set(false)
    const removing = one.controller.fetch(stage.todos.delete, { id: 1 })
    await one.box.written()
    stage.server.todos.delete(1)
    stage.server.fault = ({ name }) => (name.startsWith('DELETE') ? status : undefined)
    stage.network.set(true)
    await removing
    await settle()
    for (const { box, controller } of [one, two]) {
      expect(box.mutations).toEqual([])
      const list = controller.read(stage.todos.getList)
      expect([list.data?.map(({ id }) => id), list.status]).toEqual([[2, 3], 'Stale'])
    }
    expect(await stored(stage)).toEqual([])
  })

  test('comes back if the server has it, when its list is read', async () => {
    const stage = createBrowser()
    const { controller } = stage.open()
    const ids = () => controller.read(stage.todos.getList).data?.map(({ id }) => id)
    await controller.fetch(stage.todos.getList)
    stage.server.fault = ({ name }) => (name.startsWith('DELETE') ? status : undefined)
    await controller.fetch(stage.todos.delete, { id: 1 })
    expect(ids()).toEqual([2, 3])
    await controller.fetch(stage.todos.getList)
    expect(ids()).toEqual([1, 2, 3])
  })
})

test('an edit that is answered by 404 is refused', async () => {
  const stage = createBrowser()
  const { controller, box } = stage.open()
  stage.server.fault = () => 404
  const saving = controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: 'Of what is gone' })
  await expect(saving).rejects.toMatchObject({ status: 404 })
  expect(box.mutations).toMatchObject([{ status: 'failed', reason: 'refused' }])
})
