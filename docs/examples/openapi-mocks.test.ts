import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { Controller } from '@selfsame/core'
import { createMockController } from '@selfsame/core/testing'
import { defineMocks } from '@selfsame/openapi/mocks'
import { toHandlers } from '@selfsame/openapi/msw'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { articleResource } from './openapi/api/index.js'

const file = join(import.meta.dirname, '../../tools/openapi/golden/blog.yaml')
const description = parseYaml(readFileSync(file, 'utf8')) as object

test('a mock Controller answers by the description, and keeps what is created', async () => {
  const mocks = defineMocks(description)
  const controller = createMockController(mocks.options)
  const { items } = await controller.fetch(articleResource.getList)
  await controller.fetch(articleResource.create, {
    title: 'Spring',
    text: 'It is warm.',
  })
  expect(items).toHaveLength(3)
  const shown = controller.read(articleResource.getList).data?.items
  expect(shown?.at(-1)?.title).toBe('Spring')
})

test('Mock Service Worker answers by the description', async () => {
  const server = setupServer(...toHandlers(defineMocks(description)))
  server.listen()
  const article = await new Controller().fetch(articleResource.get, { id: 2 })
  server.close()
  expect(article.id).toBe(2)
})
