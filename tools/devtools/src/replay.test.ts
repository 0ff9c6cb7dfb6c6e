import { Controller, Entity } from '@selfsame/core'
import { createResource, NetworkError } from '@selfsame/core/rest'
import { createMockController, replay } from '@selfsame/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { Recording } from './recording.js'
import type { RecordingData } from './recording.js'

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

const articles = createResource({ urlPrefix: 'http://api', path: '/article/:id', schema: Article })

/** Records what a function does with a server that answers one request after the other, the last one first. */
async function recordingOf(use: (controller: Controller) => Promise<unknown>): Promise<RecordingData> {
  let version = 0
  let last = Promise.resolve()
  const controller = new Controller({
    fetch: async (url, init) => {
      const id = Number(String(url).split('/').at(-1))
      await new Promise((resolve) => setTimeout(resolve, 20 - 3 * id))
      // On a busy machine several timers are due at once. A response is read in several tasks.
      const before = last
      last = before.then(severalTasks)
      await before
      if (id === 4) return Response.json({ message: 'no such article' }, { status: 404 })
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as object) : {}
      return Response.json({ id, title: `Version ${++version}`, ...body })
    },
  })
  const recording = new Recording(controller, { recordsChanges: true })
  await use(controller)
  recording.end()
  controller.dispose()
  return JSON.parse(JSON.stringify(recording.export())) as RecordingData
}

async function severalTasks(): Promise<void> {
  for (let task = 0; task < 10; task++) await new Promise((resolve) => setTimeout(resolve))
}

function controllerOf(recording: RecordingData) {
  const { middleware, left } = replay(recording)
  const controller = new Controller({
    middleware: [middleware],
    fetch: () => Promise.reject(new Error('the network was asked')),
  })
  onTestFinished(() => controller.dispose())
  return { controller, left }
}

test('a recording answers as the server did: reads, again, mutations and failures', async () => {
  const use = async (controller: Controller) => {
    const told: unknown[] = []
    told.push((await controller.fetch(articles.get, { id: 1 })).title)
    told.push((await controller.fetch(articles.get, { id: 1 })).title)
    told.push((await controller.fetch(articles.partialUpdate, { id: 1 }, { title: 'Mine' })).title)
    told.push(await controller.fetch(articles.get, { id: 4 }).catch((error: unknown) => error))
    told.push(controller.get(Article, { id: 1 })?.title)
    return told
  }
  let before: unknown[] = []
  const recording = await recordingOf(async (controller) => (before = await use(controller)))
  const { controller, left } = controllerOf(recording)
  expect(left()).toHaveLength(4)
  const after = await use(controller)
  expect(after).toEqual(before)
  expect(after[3]).toBeInstanceOf(NetworkError)
  expect(after[3]).toMatchObject({ status: 404, body: { message: 'no such article' } })
  expect(left()).toEqual([])
})

test('requests under way together are answered in the recorded order', async () => {
  const use = async (controller: Controller) => {
    const order: number[] = []
    await Promise.all(
      [1, 2, 3].map((id) => controller.fetch(articles.get, { id }).then(() => order.push(id))),
    )
    return order
  }
  let before: number[] = []
  const recording = await recordingOf(async (controller) => (before = await use(controller)))
  expect(before).toEqual([3, 2, 1])
  expect(await use(controllerOf(recording).controller)).toEqual(before)
})

test('what the recording does not have is an error that names it', async () => {
  const recording = await recordingOf((controller) => controller.fetch(articles.get, { id: 1 }))
  const { controller, left } = controllerOf(recording)
  await expect(controller.fetch(articles.get, { id: 2 })).rejects.toThrow('no further request of Article.get')
  expect(left()).toEqual(['fetch Article.get 1'])
  expect(() => replay({} as RecordingData)).toThrow('no recording')
  const cut = recording.entries.map((entry) => ({
    ...entry,
    payload: entry.payload && `${entry.payload.slice(0, 9)}…`,
  }))
  expect(() => replay({ version: 1, entries: cut })).toThrow('no whole response of "response Article.get 1"')
})

test('fixtures of a mock Controller come after it', async () => {
  const recording = await recordingOf((controller) => controller.fetch(articles.get, { id: 1 }))
  const { middleware } = replay(recording)
  const controller = createMockController({
    middleware: [middleware],
    fixtures: [{ endpoint: articles.get, args: [{ id: 1 }], response: { id: 1, title: 'of the fixture' } }],
  })
  onTestFinished(() => controller.dispose())
  expect((await controller.fetch(articles.get, { id: 1 })).title).toBe('Version 1')
})
