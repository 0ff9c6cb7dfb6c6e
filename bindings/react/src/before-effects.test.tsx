import { Todo, todoFields } from '@selfsame/conformance'
import { Query } from '@selfsame/core'
import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
import { createStage, openPage, settle } from '../test-app.js'
import {
  DataProvider,
  useCache,
  useDLE,
  useDLEAll,
  useQuery,
  useSelect,
  useSuspense,
  useSuspenseAll,
} from './index.js'

// Between a commit and its effects, the subscriptions are still those of the render before.

function createReaders({ todo }: ReturnType<typeof createStage>['api']) {
  const { getList } = todo
  const first = new Query(getList.schema, (list) => list[0]?.title)
  const args = (userId: number) => ({ userId })
  return {
    useSuspense: (userId: number) => useSuspense(getList, args(userId))[0]?.title,
    useSelect: (userId: number) => useSelect(getList, (list) => list[0]?.title, args(userId)),
    useSuspenseAll: (userId: number) => useSuspenseAll([[getList, args(userId)]])[0][0]?.title,
    useDLE: (userId: number) => useDLE(getList, args(userId)).data?.[0]?.title,
    useDLEAll: (userId: number) => useDLEAll([[getList, args(userId)]]).data[0]?.[0]?.title,
    useCache: (userId: number) => useCache(getList, args(userId))?.[0]?.title,
    useQuery: (userId: number) => useQuery(first, args(userId)),
  }
}
type Name = keyof ReturnType<typeof createReaders>
const names: readonly Name[] = [
  'useSuspense',
  'useSelect',
  'useSuspenseAll',
  'useDLE',
  'useDLEAll',
  'useCache',
  'useQuery',
]

test.each(names)(
  'what changes between the commit of other arguments and the effects of %s is shown, and nothing is fetched for the old ones',
  async (name) => {
    const { api, controller, server } = createStage()
    const readTitle = createReaders(api)[name]
    for (const userId of [1, 2]) {
      server.route(`GET /todo?userId=${userId}`, [todoFields(6, { userId })])
      await controller.fetch(api.todo.getList, { userId })
    }
    server.requests.length = 0
    let change = (_userId: number) => {}
    const First = ({ userId }: { readonly userId: number }) => {
      const title = readTitle(userId)
      useLayoutEffect(() => change(userId), [userId])
      return <p>{title}</p>
    }
    const pageOf = (userId: number) => (
      <DataProvider controller={controller}>
        <First userId={userId} />
      </DataProvider>
    )
    const page = await openPage(pageOf(1))
    await settle()
    expect(page.text).toBe('Todo 6')
    change = () => {
      controller.invalidate(api.todo.getList, { userId: 1 })
      controller.set(Todo, { id: 6 }, { title: 'Changed' })
    }

    await page.render(pageOf(2))
    await settle()

    expect(page.text).toBe('Changed')
    expect(server.requests).toEqual([])
  },
)
