import * as React from 'react'
import { startTransition } from 'react'
import { expect, test, vi } from 'vitest'
import { actAlone, createStage, openPage } from '../test-app.js'
import { DataProvider, useCache } from './index.js'

const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

vi.mock('react', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: undefined,
  __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED: undefined,
}))

test('a React that does not tell of transitions shows the same', async () => {
  expect((React as unknown as Record<string, unknown>)[internals]).toBeUndefined()
  const { api, controller } = createStage()
  await controller.fetch(api.todo.get, { id: 5 })
  let renders = 0
  function Title() {
    renders++
    return <p>{useCache(api.todo.get, { id: 5 })?.title}</p>
  }
  const page = await openPage(
    <DataProvider controller={controller}>
      <Title />
      <Title />
    </DataProvider>,
  )
  await actAlone(() => startTransition(() => controller.set(api.todo.get.schema, { id: 5 }, { title: 'a' })))
  expect(page.text).toBe('aa')
  expect(renders).toBe(4)
})
