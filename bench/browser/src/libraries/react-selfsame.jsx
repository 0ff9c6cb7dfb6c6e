import { AsyncBoundary, DataProvider, useCache, useSuspense } from '@selfsame/react'
import { createAppOfLists } from '../react/app.jsx'
import { createStore, discussed, getIssue, getIssues } from './selfsame-api.js'

export function createApp() {
  const { controller, ...store } = createStore()
  return createAppOfLists({
    store,
    Provider: ({ children }) => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="Loading">{children}</AsyncBoundary>
      </DataProvider>
    ),
    useIssues: () => useSuspense(getIssues),
    useDiscussed: () => useCache(discussed),
    useIssue: (id) => useSuspense(getIssue, { id }),
  })
}
