import { QueryClient, createQuery } from '@tanstack/svelte-query'
import { createAppOfLists } from '../svelte/app.js'
import TanstackProvider from './TanstackProvider.svelte'
import { createStore, discussedQuery, issueQuery, issuesQuery } from './tanstack-store.js'

const reading = (query) => ({
  get current() {
    return query.data
  },
})

export function createApp() {
  const client = new QueryClient()
  return createAppOfLists({
    store: createStore(client),
    Provider: (anchor, props) => TanstackProvider(anchor, { client, children: props.children }),
    useIssues: () => reading(createQuery(() => issuesQuery)),
    useDiscussed: () => reading(createQuery(() => discussedQuery)),
    useIssue: (id) => reading(createQuery(() => issueQuery(client, id()))),
  })
}
