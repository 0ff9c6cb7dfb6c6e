import { Session } from 'node:inspector'
import { Controller, Entity } from '@selfsame/core'
import { Observer } from '@selfsame/core/bindings'
import { createResource } from '@selfsame/core/rest'
import { expect, onTestFinished, test } from 'vitest'
import { Recording } from './recording.js'

// What a recording costs while the panel is closed, in calls of functions: time depends on the machine.

class User extends Entity {
  id = 0
  name = ''
  static override key = 'User'
}

class Article extends Entity {
  id = 0
  title = ''
  author: User | undefined
  static override key = 'Article'
  static override schema = { author: User }
}

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly {
      readonly ranges: readonly { readonly count: number }[]
    }[]
  }[]
}

/**
 * Counts the calls of functions, with those of the platform that are written in JavaScript. The least of three runs counts: a timer of the
 * test runner may fall into one of them.
 */
async function callsIn(run: () => Promise<void>): Promise<number> {
  return Math.min(await countOnce(run), await countOnce(run), await countOnce(run))
}

async function countOnce(run: () => Promise<void>): Promise<number> {
  const session = new Session()
  session.connect()
  const post = (method: string, params?: object) =>
    new Promise<unknown>((resolve, reject) =>
      session.post(method, params, (error, result) =>
        error === null ? resolve(result) : reject(error as unknown as Error),
      ),
    )
  await post('Profiler.enable')
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await run()
  const { result } = (await post('Profiler.takePreciseCoverage')) as Coverage
  await post('Profiler.stopPreciseCoverage')
  session.disconnect()
  let count = 0
  for (const { functions } of result) for (const { ranges } of functions) count += ranges[0]?.count ?? 0
  return count
}

/** An application with a list, and with readers of each of its records. */
async function createStage() {
  const articles = createResource({ urlPrefix: 'http://api', path: '/article/:id', schema: Article })
  const list = Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    title: `Title ${index + 1}`,
    author: { id: 1, name: 'Maja' },
  }))
  const controller = new Controller({
    fetch: async (_, init) =>
      Response.json(init?.method === 'PATCH' ? { ...list[4], title: 'Patched' } : list),
  })
  onTestFinished(() => controller.dispose())
  await controller.fetch(articles.getList)
  const observers = [
    new Observer(controller, articles.getList, []),
    ...list.map(({ id }) => new Observer(controller, articles.get, [{ id }])),
  ]
  for (const observer of observers) {
    observer.subscribe(() => void observer.getSnapshot())
    observer.getSnapshot()
  }
  let count = 0
  return {
    controller,
    writes: {
      set: async () => controller.set(Article, { id: 5 }, { title: `New ${count++}` }),
      'the answer of a list': async () => void (await controller.fetch(articles.getList)),
      'an edit': async () =>
        void (await controller.fetch(articles.partialUpdate, { id: 5 }, { title: `Edit ${count++}` })),
      'a rename that all show': async () => controller.set(User, { id: 1 }, { name: `Name ${count++}` }),
    },
  }
}

test.each(['set', 'the answer of a list', 'an edit', 'a rename that all show'] as const)(
  'while the panel was not opened, a write makes at most 1.2 times the calls: %s',
  async (name) => {
    const { controller, writes } = await createStage()
    const write = writes[name]
    await write()
    const without = await callsIn(write)
    const recording = new Recording(controller)
    await write()
    const during = await callsIn(write)
    expect(recording.entries.length).toBeGreaterThan(1)
    recording.end()
    await write()
    expect(during / without).toBeGreaterThan(1)
    expect(during / without).toBeLessThanOrEqual(1.2)
    // What counts makes a call or two of its own.
    expect((await callsIn(write)) - without).toBeLessThan(5)
  },
)
