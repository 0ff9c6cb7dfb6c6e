import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createAppOfLists } from '../react/app.jsx'
import { createStore, discussedQuery, issueQuery, issuesQuery } from './tanstack-store.js'

export function createApp() {
  const client = new QueryClient()
  return createAppOfLists({
    store: createStore(client),
    Provider: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    useIssues: () => useQuery(issuesQuery).data,
    useDiscussed: () => useQuery(discussedQuery).data,
    useIssue: (id) => useQuery(issueQuery(client, id)).data,
  })
}
