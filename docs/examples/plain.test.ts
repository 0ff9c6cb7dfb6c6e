import { Controller, Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { afterEach, expect, test, vi } from 'vitest'
import { Article, articleResource } from './articles.js'
import { serve } from './testing-network.js'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('README: plain TypeScript', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  serve({
    'GET /article': [{ id: 5, title: 'Old', author: { id: 2, name: 'Ann' } }],
    'PATCH /article/5': { id: 5, title: 'New' },
  })
  const controller = new Controller()
  await controller.fetch(articleResource.getList, { author: 2 })
  const end = controller.subscribe(articleResource.get, { id: 5 }, ({ data }) =>
    console.log(data?.title),
  )

  await controller.fetch(
    articleResource.partialUpdate,
    { id: 5 },
    { title: 'New' },
  )

  const { data } = controller.read(articleResource.getList, { author: 2 })
  const isSame =
    // What the page shows:
    data?.find(({ id }) => id === 5) === controller.get(Article, { id: 5 })
  end()
  expect(isSame).toBe(true)
  expect(log.mock.calls).toEqual([['New']])
})

test('the README of the core: plain TypeScript, from the declaration on', async () => {
  class Article extends Entity {
    id = 0
    title = ''
    static override key = 'Article'
  }

  const articleResource = createResource({
    path: '/article/:id',
    schema: Article,
  })
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  serve({
    'GET /article': [{ id: 5, title: 'Old' }],
    'PATCH /article/5': { id: 5, title: 'New' },
  })
  const controller = new Controller()
  await controller.fetch(articleResource.getList, { author: 2 })
  const end = controller.subscribe(articleResource.get, { id: 5 }, ({ data }) =>
    console.log(data?.title),
  )

  await controller.fetch(
    articleResource.partialUpdate,
    { id: 5 },
    { title: 'New' },
  ) // logs "New"
  end()
  expect(log.mock.calls).toEqual([['New']])
})
