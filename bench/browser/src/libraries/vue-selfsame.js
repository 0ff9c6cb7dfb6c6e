import { AsyncBoundary, dataPlugin, useCache, useSuspense } from '@selfsame/vue'
import { createAppOfAwaitedLists } from '../vue/app.js'
import { createStore, discussed, getIssue, getIssues } from './selfsame-api.js'

export function createApp() {
  const { controller, ...store } = createStore()
  return createAppOfAwaitedLists({
    store,
    install: (app) => app.use(dataPlugin, { controller }),
    Boundary: AsyncBoundary,
    useIssues: () => useSuspense(getIssues),
    useDiscussed: () => useCache(discussed),
    useIssue: (id) => useSuspense(getIssue, () => ({ id: id() })),
  })
}
