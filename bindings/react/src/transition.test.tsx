import { Suspense, startTransition, useTransition } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { actAlone, click, createStage, forbidConsole, openPage, settle } from '../test-app.js'
import { DataProvider, useCache, useSuspense } from './index.js'

// React warns above ten.
const keys = Array.from({ length: 25 }, (_, key) => key)
let stage: ReturnType<typeof createStage>

beforeEach(() => {
  stage = createStage()
  forbidConsole()
})

test('many readers of what is written in startTransition are updated without a word', async () => {
  const { api, controller } = stage
  await controller.fetch(api.todo.get, { id: 5 })
  let renders = 0
  function Title() {
    renders++
    return <p>{useCache(api.todo.get, { id: 5 })?.title}</p>
  }
  const page = await openPage(
    <DataProvider controller={controller}>
      {keys.map((key) => (
        <Title key={key} />
      ))}
    </DataProvider>,
  )
  await actAlone(() =>
    startTransition(() => {
      controller.set(api.todo.get.schema, { id: 5 }, { title: 'a' })
      controller.set(api.todo.get.schema, { id: 5 }, { title: 'b' })
    }),
  )
  expect(page.text).toBe('b'.repeat(keys.length))
  expect(renders).toBe(2 * keys.length)
  await actAlone(() => controller.set(api.todo.get.schema, { id: 5 }, { title: 'c' }))
  expect(page.text).toBe('c'.repeat(keys.length))
})

test('many readers of what is invalidated in a transition stay on screen, and it is pending until all have data', async () => {
  const { api, controller, server } = stage
  function Title() {
    return <p>{useSuspense(api.todo.get, { id: 5 }).title}</p>
  }
  function Page() {
    const [isPending, start] = useTransition()
    return (
      <Suspense fallback="…">
        <button onClick={() => start(() => controller.invalidate(api.todo.get, { id: 5 }))}>
          {isPending ? 'pending ' : ''}
        </button>
        {keys.map((key) => (
          <Title key={key} />
        ))}
      </Suspense>
    )
  }
  const page = await openPage(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  )
  await settle()
  server.route('GET /todo/5', { id: 5, title: 'Newer' })
  server.hold('GET /todo/5')
  await click(page)
  await settle()
  expect(page.text).toBe(`pending ${'Todo 5'.repeat(keys.length)}`)
  server.release()
  await settle()
  expect(page.text).toBe('Newer'.repeat(keys.length))
  expect(server.requests).toEqual(['GET /todo/5', 'GET /todo/5'])
})
