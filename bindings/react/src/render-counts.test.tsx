import { Todo } from '@selfsame/conformance'
import { Suspense, use } from 'react'
import { expect, test } from 'vitest'
import { actAlone, createStage, openPage, settle } from '../test-app.js'
import { AsyncBoundary, DataProvider, useDLE, useSuspense } from './index.js'

type UseTitles = (api: ReturnType<typeof createStage>['api']) => string | undefined

/**
 * For each hook: renders until there is data. React renders a suspended component a second time while it waits, to start what is
 * beside it: the last test counts that without these hooks.
 */
const hooks: Readonly<Record<string, readonly [expected: number, useTitles: UseTitles]>> = {
  useSuspense: [3, (api) => useSuspense(api.todo.getList)[0]?.title],
  'useSuspense of a detail': [3, (api) => useSuspense(api.todo.get, { id: 5 }).title],
  useDLE: [2, (api) => useDLE(api.todo.getList).data?.[0]?.title],
}

test.each(Object.entries(hooks))(
  '%s renders no more often than it has to',
  async (_, [expected, useTitles]) => {
    const { api, controller, server } = createStage()
    let renders = 0
    function List() {
      renders++
      return <p>{useTitles(api)}</p>
    }
    server.hold('GET /todo', 'GET /todo/5')
    const page = await openPage(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="…">
          <List />
        </AsyncBoundary>
      </DataProvider>,
    )
    await settle()
    server.release()
    await settle()
    expect(page.text).toBe('Todo 5')
    expect(renders).toBe(expected)
    renders = 0
    await actAlone(() => void controller.set(Todo, { id: 5 }, { title: 'Changed' }))
    expect(renders).toBe(1)
    renders = 0
    server.hold('GET /todo', 'GET /todo/5')
    await actAlone(() => {
      controller.invalidate(api.todo.getList)
      controller.invalidate(api.todo.get, { id: 5 })
    })
    await settle()
    server.release()
    await settle()
    expect(page.text).toBe('Todo 5')
    expect(renders).toBe(expected)
  },
)

test('React renders a component that waits for a promise, and nothing else, as often as one with useSuspense', async () => {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>((settled) => (resolve = settled))
  let renders = 0
  function Waiting() {
    renders++
    return <p>{use(promise)}</p>
  }
  const page = await openPage(
    <Suspense fallback="…">
      <Waiting />
    </Suspense>,
  )
  await settle()
  resolve('Todo 5')
  await settle()
  expect(page.text).toBe('Todo 5')
  expect(renders).toBe(hooks['useSuspense']?.[0])
})
