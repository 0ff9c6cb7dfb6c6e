import { describe, expect, test } from 'vitest'
import { schema } from '../index.js'
import { Todo, createBrowser, settle } from './testing-stage.js'

type Stage = ReturnType<typeof createBrowser>

/** The answer of a create is lost after the server has made `/todo/101`, and an edit by the temporary id waits for it. */
async function loseTheAnswer({ open, server, todos }: Stage) {
  const tab = open()
  const { controller } = tab
  await controller.fetch(todos.getList)
  server.fault = ({ name }) => (name.startsWith('POST') ? 'lost' : undefined)
  controller.fetch(todos.create, { title: 'New' }).catch(() => {})
  const temporary = (controller.get(new schema.All(Todo)) ?? []).at(-1)!.id
  await settle()
  controller.fetch(todos.partialUpdate, { id: temporary }, { title: 'first', done: true }).catch(() => {})
  await settle()
  return { ...tab, temporary }
}

/** The network is whole again, and all that waits is sent. */
async function goOn({ server, clock }: Stage) {
  server.fault = () => undefined
  for (let second = 0; second < 5; second++) {
    clock.advance(1000)
    await settle()
  }
}

const bodies = ({ server }: Stage) => server.applied.map(({ name, body }) => [name, body])

describe('a record that has a temporary id and a real one is in one queue', () => {
  test('an edit by the real id, which a list brought, is sent after the one by the temporary id', async () => {
    const stage = createBrowser()
    const { controller, box } = await loseTheAnswer(stage)
    await controller.fetch(stage.todos.getList)
    const saved = controller.fetch(stage.todos.partialUpdate, { id: 101 }, { title: 'second' })
    await settle()
    await goOn(stage)
    expect(await saved).toMatchObject({ id: 101, title: 'second', done: true })
    expect(bodies(stage).slice(1)).toEqual([
      ['PATCH /todo/101', { title: 'first', done: true }],
      ['PATCH /todo/101', { title: 'second' }],
    ])
    expect(stage.server.todos.get(101)).toEqual({ id: 101, title: 'second', done: true })
    expect(controller.get(Todo, { id: 101 })?.title).toBe('second')
    expect(box.mutations).toEqual([])
  })

  test('so is a delete', async () => {
    const stage = createBrowser()
    const { controller, box } = await loseTheAnswer(stage)
    await controller.fetch(stage.todos.get, { id: 101 })
    controller.fetch(stage.todos.delete, { id: 101 }).catch(() => {})
    await goOn(stage)
    expect(bodies(stage).map(([name]) => name)).toEqual(['POST /todo', 'PATCH /todo/101', 'DELETE /todo/101'])
    expect(box.mutations).toEqual([])
  })

  test('so is what another tab sends, and what is sent after a reload', async () => {
    const stage = createBrowser()
    const { controller } = await loseTheAnswer(stage)
    const other = stage.open()
    await settle()
    await other.controller.fetch(stage.todos.get, { id: 101 })
    other.controller.fetch(stage.todos.partialUpdate, { id: 101 }, { title: 'second' }).catch(() => {})
    await settle()
    stage.crash(controller)
    stage.crash(other.controller)
    const third = stage.open()
    await settle()
    await goOn(stage)
    expect(third.box.mutations).toEqual([])
    expect(stage.server.todos.get(101)).toEqual({ id: 101, title: 'second', done: true })
  })

  test('a record that was there before is sent at once', async () => {
    const stage = createBrowser()
    const { controller } = await loseTheAnswer(stage)
    await controller.fetch(stage.todos.partialUpdate, { id: 1 }, { title: 'other' })
    expect(stage.server.todos.get(1)?.title).toBe('other')
  })

  test('a create that is refused holds nothing up', async () => {
    const stage = createBrowser()
    const { controller, box } = await loseTheAnswer(stage)
    await controller.fetch(stage.todos.get, { id: 101 })
    const saved = controller.fetch(stage.todos.partialUpdate, { id: 101 }, { title: 'second' })
    await settle()
    stage.server.fault = ({ name }) => (name.startsWith('POST') ? 422 : undefined)
    stage.clock.advance(1000)
    await settle()
    expect(await saved).toMatchObject({ title: 'second' })
    expect(box.mutations.map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', 'refused'],
      ['failed', 'dependency'],
    ])
  })
})
