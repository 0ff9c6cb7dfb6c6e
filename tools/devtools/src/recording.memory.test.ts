import { Controller, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { TestClock } from '@selfsame/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { Recording } from './recording.js'

class Article extends Entity {
  id = 0
  title = ''
  static override key = 'Article'
}

test('a recording keeps no collected record alive, and no text that its bounds do not allow', async () => {
  const articles = createResource({ urlPrefix: 'http://api', path: '/article/:id', schema: Article })
  const clock = new TestClock()
  const controller = new Controller({
    clock,
    fetch: async (url) =>
      Response.json({ id: Number(String(url).split('/').at(-1)), title: 'x'.repeat(1000) }),
  })
  onTestFinished(() => controller.dispose())
  const recording = new Recording(controller, { recordsChanges: true, maxCharacters: 100_000 })
  const read = async (id: number) => new WeakRef(await controller.fetch(articles.get, { id }))
  const refs: WeakRef<object>[] = []
  for (let id = 1; id <= 200; id++) refs.push(await read(id))
  clock.advance(3_600_000)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(controller.get(Article, { id: 1 })).toBeUndefined()
  expect(recording.collected('Article', '200')?.title).toBe('collected as garbage')
  await new Promise((resolve) => setTimeout(resolve, 10))
  globalThis.gc?.()
  expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([])
  expect(JSON.stringify(recording.entries).length).toBeLessThan(300_000)
  expect(recording.entries.length).toBeLessThan(200)
  recording.end()
})
