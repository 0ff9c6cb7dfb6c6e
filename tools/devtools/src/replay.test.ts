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
  const waiting: { readonly id: number; readonly resolve: () => void }[] = []
  const answerLast = () => {
    waiting.sort((a, b) => a.id - b.id)
    waiting.pop()?.resolve()
  }
  const controller = new Controller({
    fetch: async (url, init) => {
      const id = Number(String(url).split('/').at(-1))
      await new Promise<void>((resolve) => {
        waiting.push({ id, resolve })
        setTimeout(answerLast, 20)
      })
      // A response is read in several tasks.
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

/** Values of another form, new for each use. */
const values: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  '0': () => 0,
  '1.5': () => 1.5,
  NaN: () => NaN,
  'an empty text': () => '',
  'a text': () => 'text',
  JSON: () => '{}',
  '[]': () => [],
  '[null]': () => [null],
  'a list with holes': () => Array.from({ length: 2 }),
  '{}': () => ({}),
  '{ toString }': () => ({ toString: 1, valueOf: 1 }),
  '{ toJSON }': () => ({ toJSON: 1 }),
  'no prototype': () => Object.create(null) as unknown,
  'a Date': () => new Date(NaN),
  'a function': () => () => {},
  'a symbol': () => Symbol('a'),
  'a bigint': () => 5n,
}

/** All places in a value, as paths. */
function placesIn(value: unknown, above: readonly string[] = []): string[][] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [[...above], ...parts.flatMap(([name, part]) => placesIn(part, [...above, name]))]
}

/** A copy of a recording with another value at a place. */
function withAt(recording: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = (Array.isArray(recording) ? [...recording] : { ...(recording as object) }) as Record<
    string,
    unknown
  >
  copy[name] = withAt(copy[name], rest, value)
  return copy
}

test('a recording with another value in any place is refused as a whole, or answers', async () => {
  const use = (controller: Controller) =>
    Promise.allSettled([
      controller.fetch(articles.get, { id: 1 }),
      controller.fetch(articles.partialUpdate, { id: 1 }, { title: 'Mine' }),
      controller.fetch(articles.get, { id: 4 }),
    ])
  const recording = await recordingOf(use)
  const outcomes = { taken: 0, refused: 0 }
  for (const place of placesIn(recording))
    for (const [name, make] of Object.entries(values)) {
      const at = `${place.join('.')} = ${name}`
      const changed = withAt(recording, place, make()) as RecordingData
      let opened: ReturnType<typeof controllerOf>
      try {
        opened = controllerOf(changed)
      } catch (error) {
        expect({ at, error }).toMatchObject({ error: { name: 'SelfsameError', code: 'argument-invalid' } })
        outcomes.refused++
        continue
      }
      outcomes.taken++
      const left = opened.left()
      expect({ at, left: left.every((title) => typeof title === 'string') }).toEqual({ at, left: true })
      const asked = use(opened.controller)
      // A request whose answer the recording lacks stays open.
      await new Promise((resolve) => setTimeout(resolve))
      opened.controller.dispose()
      for (const answer of await asked)
        if (answer.status === 'rejected')
          expect({ at, answer: String(answer.reason) }).not.toMatchObject({
            answer: expect.stringMatching(/TypeError|RangeError|SyntaxError/),
          })
    }
  expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(50)
})

test('what is no recording leaves the timeline as it is', async () => {
  const exported = await recordingOf((controller) => controller.fetch(articles.get, { id: 1 }))
  const controller = new Controller()
  const recording = new Recording(controller)
  onTestFinished(() => recording.end())
  recording.import(exported)
  expect(recording.entries).toEqual(exported.entries)
  for (const make of Object.values(values)) {
    const changed = withAt(exported, ['entries', '0'], make())
    expect(() => recording.import(changed)).toThrow('This is no recording')
    expect(recording.entries).toEqual(exported.entries)
  }
})

test.each([
  ['no entry', [null]],
  ['a title of another form', [{ kind: 'response', title: { toString: 1 }, request: 1, payload: '…' }]],
  ['a payload of another form', [{ kind: 'fetch', title: 'a', request: 1, payload: 5n }]],
  ['an error of another form', [{ kind: 'error', title: 'a', request: 1, error: null }]],
  [
    'an error with a path of another form',
    [{ kind: 'error', title: 'a', request: 1, error: { name: 'NetworkError', message: 'm', path: {} } }],
  ],
])('a recording with %s is refused', (_, entries) => {
  expect(() => replay({ version: 1, entries: entries as never })).toThrow(
    expect.objectContaining({ code: 'argument-invalid', message: expect.stringContaining('entries[0]') }),
  )
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
