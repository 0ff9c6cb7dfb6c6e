import { useCache } from '@selfsame/svelte'
import { createAppOfRows } from '../svelte/app.js'
import SelfsameProvider from './SelfsameProvider.svelte'
import { createStore, discussedIds, getIssue, ids } from './selfsame-api.js'

export function createApp() {
  const { controller, ...store } = createStore()
  return createAppOfRows({
    store,
    Provider: (anchor, props) => SelfsameProvider(anchor, { controller, children: props.children }),
    useIds: () => useCache(ids),
    useDiscussedIds: () => useCache(discussedIds),
    useIssue: (id) => useCache(getIssue, () => ({ id: id() })),
  })
}
