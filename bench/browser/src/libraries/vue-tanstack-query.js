import { QueryClient, VueQueryPlugin, useQuery } from '@tanstack/vue-query'
import { createAppOfLists } from '../vue/app.js'
import { createStore, discussedQuery, issueQuery, issuesQuery } from './tanstack-store.js'

export function createApp() {
  const queryClient = new QueryClient()
  return createAppOfLists({
    store: createStore(queryClient),
    install: (app) => app.use(VueQueryPlugin, { queryClient }),
    useIssues: () => useQuery(issuesQuery).data,
    useDiscussed: () => useQuery(discussedQuery).data,
    useIssue: (id) => useQuery(() => issueQuery(queryClient, id())).data,
  })
}
