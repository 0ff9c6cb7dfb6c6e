import { useEffect, useMemo } from 'react'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'
import { mostDiscussed } from '../../../src/data.mjs'
import { createAppOfLists } from '../react/app.jsx'

const stays = { revalidate: false }

const useIssues = () => useSWR('/issues').data

export function createApp() {
  const cache = new Map()
  /** The bound `mutate` of a custom cache exists once its provider is mounted. Before that, writes go to the cache. */
  let mutate
  function Actions({ children }) {
    const config = useSWRConfig()
    useEffect(() => {
      mutate = config.mutate
    }, [config])
    return children
  }
  const config = {
    provider: () => cache,
    fetcher: () => Promise.reject(new Error('Nothing is to be fetched')),
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
  }

  return createAppOfLists({
    store: {
      async ingest(text) {
        cache.set('/issues', { data: JSON.parse(text) })
      },
      async changeIssue(text) {
        const changes = JSON.parse(text)
        const withChanges = (issues) =>
          issues.map((issue) => (issue.id === changes.id ? { ...issue, ...changes } : issue))
        await mutate('/issues', withChanges, stays)
      },
      async changeUser(text) {
        const user = JSON.parse(text)
        const withUser = (issues) =>
          issues.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue))
        await mutate('/issues', withUser, stays)
      },
      writeUnrelated: (text) => mutate('/notification', JSON.parse(text), stays),
      close: () => cache.clear(),
    },
    Provider: ({ children }) => (
      <SWRConfig value={config}>
        <Actions>{children}</Actions>
      </SWRConfig>
    ),
    useIssues,
    useDiscussed() {
      const issues = useIssues()
      return useMemo(() => mostDiscussed(issues), [issues])
    },
    useIssue: (id) =>
      useSWR(`/issues/${id}`, { fallbackData: cache.get('/issues').data.find((i) => i.id === id) }).data,
  })
}
