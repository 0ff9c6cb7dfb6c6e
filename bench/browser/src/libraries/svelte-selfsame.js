import { useCache, useSuspense } from '@selfsame/svelte'
import { createAppOfLists } from '../svelte/app.js'
import SelfsameProvider from './SelfsameProvider.svelte'
import { createStore, discussed, getIssue, getIssues } from './selfsame-api.js'

export function createApp() {
  const { controller, ...store } = createStore()
  return createAppOfLists({
    store,
    Provider: (anchor, props) => SelfsameProvider(anchor, { controller, children: props.children }),
    useIssues: () => useSuspense(getIssues),
    useDiscussed: () => useCache(discussed),
    useIssue: (id) => useSuspense(getIssue, () => ({ id: id() })),
  })
}
