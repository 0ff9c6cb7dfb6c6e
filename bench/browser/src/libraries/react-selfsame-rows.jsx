import { AsyncBoundary, DataProvider, useCache } from '@selfsame/react'
import { createAppOfRows } from '../react/app.jsx'
import { createStore, discussedIds, getIssue, ids } from './selfsame-api.js'

export function createApp() {
  const { controller, ...store } = createStore()
  return createAppOfRows({
    store,
    Provider: ({ children }) => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="Loading">{children}</AsyncBoundary>
      </DataProvider>
    ),
    useIds: () => useCache(ids),
    useDiscussedIds: () => useCache(discussedIds),
    useIssue: (id) => useCache(getIssue, { id }),
  })
}
