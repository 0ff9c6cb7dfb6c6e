import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Endpoint } from '../endpoint/endpoint.js'
import { Entity } from '../index.js'
import { Observer } from '../observer/observer.js'
import { Controller } from './controller.js'

class Article extends Entity {
  id = 0
  title = ''
  content = ''
  tags: readonly string[] = []
  editor: string | undefined = undefined
  static override key = 'Article'
  get heading() {
    return this.title
  }
}

const article = { id: 1, title: 'One', content: 'Text', tags: [] }
const warned = vi.fn()

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(warned)
  warned.mockClear()
})
afterEach(() => vi.restoreAllMocks())

function createStage(of: typeof Article = Article) {
  const get = vi.fn(async ({ id }: { readonly id: number }) => ({ ...article, id }))
  const getArticle = new Endpoint(get, { name: 'getArticle', schema: of })
  return { controller: new Controller(), get, getArticle }
}

test('a summary that answers a detail is one warning, which names the fields, `validate` and the guide', async () => {
  const { controller, get, getArticle } = createStage()
  const list = [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ]
  await controller.fetch(new Endpoint(async () => list, { name: 'getArticles', schema: [Article] }))
  expect(warned).not.toHaveBeenCalled()
  for (const id of [1, 2]) expect(new Observer(controller, getArticle, [{ id }]).load().loading).toBe(false)
  expect(get).not.toHaveBeenCalled()
  expect(warned.mock.calls).toEqual([
    [
      '[selfsame] getArticle sent no request: the Article was in the cache, without "content", "tags", so it shows the defaults of the class. If a list brings summaries, let `static validate` of Article refuse a record without what the detail needs: then the detail is fetched. If the server leaves these out of every response, let it return undefined. https://github.com/selfsame-data/selfsame/blob/main/docs/data-model.md#summaries-and-full-records',
    ],
  ])
})

test.each(['useFetch', 'fetchIfStale'])('%s warns', async (reader) => {
  const { controller, getArticle } = createStage()
  controller.set(Article, { id: 1 }, { title: 'One', content: 'Text' })
  const args = [{ id: 1 }] as const
  if (reader === 'useFetch') new Observer(controller, getArticle, args).fetchIfDue()
  else await controller.fetchIfStale(getArticle, { id: 1 })
  expect(warned).toHaveBeenCalledOnce()
  expect(warned.mock.calls[0]?.[0]).toContain('without "tags", so it shows the default of')
})

test('nothing is wrong with a record that has its fields, a reader that never fetches, or a request under way', async () => {
  const { controller, getArticle } = createStage()
  controller.set(Article, { id: 1 }, article)
  new Observer(controller, getArticle, [{ id: 1 }]).load()
  controller.set(Article, { id: 2 }, { title: 'Two' })
  new Observer(controller, getArticle, [{ id: 2 }]).readCached()
  controller.get(Article, { id: 2 })
  controller.read(getArticle, { id: 2 })
  controller.expireAll(getArticle)
  new Observer(controller, getArticle, [{ id: 2 }]).load()
  await controller.fetch(getArticle, { id: 2 })
  new Observer(controller, getArticle, [{ id: 2 }]).load()
  await controller.fetchIfStale(getArticle, { id: 2 })
  expect(warned).not.toHaveBeenCalled()
})

test('a class with a `validate` has said what it needs', () => {
  class Checked extends Article {
    static override validate = () => undefined
  }
  const { controller, getArticle } = createStage(Checked)
  controller.set(Checked, { id: 1 }, { title: 'One' })
  new Observer(controller, getArticle, [{ id: 1 }]).load()
  expect(warned).not.toHaveBeenCalled()
})
