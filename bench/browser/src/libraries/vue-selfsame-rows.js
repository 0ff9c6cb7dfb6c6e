import { dataPlugin, useCache } from '@selfsame/vue'
import { createAppOfRows } from '../vue/app.js'
import { createStore, discussedIds, getIssue, ids } from './selfsame-api.js'

export function createApp() {
  const { controller, ...store } = createStore()
  return createAppOfRows({
    store,
    install: (app) => app.use(dataPlugin, { controller }),
    useIds: () => useCache(ids),
    useDiscussedIds: () => useCache(discussedIds),
    useIssue: (id) => useCache(getIssue, () => ({ id: id() })),
  })
}
