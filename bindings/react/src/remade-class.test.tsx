import { Entity } from '@selfsame/core'
import { createResource } from '@selfsame/core/rest'
import { beforeEach, expect, test, vi } from 'vitest'
import { createStage, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useSuspense } from './index.js'

let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

test('an Entity class that is made in each render ends in an error', async () => {
  let requests = 0
  function Title() {
    class Todo extends Entity {
      id = 0
      title = ''
      static override key = 'Todo'
    }
    const todoResource = createResource({ path: '/todo/:id', schema: Todo })
    const getList = todoResource.getList.extend({
      fetch: async () => {
        requests++
        return [{ id: 5, title: 'Todo 5' }]
      },
    })
    return useSuspense(getList)[0]?.title
  }
  const page = await openPage(
    <DataProvider controller={stage.controller}>
      <AsyncBoundary fallback="…" errorFallback={({ error }: { error: Error }) => error.message}>
        <Title />
      </AsyncBoundary>
    </DataProvider>,
  )
  for (let round = 0; round < 60; round++) await settle()
  expect(page.text).toContain('each read creates another Entity class')
  const before = requests
  await settle()
  expect(requests).toBe(before)
})
