import { InMemoryCache } from '@apollo/client'
import { memoize } from './adapter.mjs'
import {
  issueFragment,
  issuesQuery,
  notificationQuery,
  updateIssueMutation,
  updateUserMutation,
} from './issue-documents.mjs'

const readList = (cache) => cache.readQuery({ query: issuesQuery }).issues

/** @type {import('./adapter.mjs').Adapter<InMemoryCache>} */
export const adapter = {
  hasTypenames: true,
  missing: { cycle: 'A query selects to a finite depth.' },
  notes: { G: 'It derives nothing; the function is memoized by the list, as `useMemo` does.' },
  create: () => new InMemoryCache(),
  ingest(cache, text) {
    cache.writeQuery({ query: issuesQuery, data: { issues: JSON.parse(text) } })
  },
  readList,
  openList(cache) {
    let shown
    cache.watch({
      query: issuesQuery,
      optimistic: true,
      immediate: true,
      callback: ({ result }) => (shown = result.issues),
    })
    return () => shown
  },
  watchList(cache, callback) {
    let isFirst = true
    return cache.watch({
      query: issuesQuery,
      optimistic: true,
      immediate: true,
      callback() {
        if (!isFirst) callback()
        isFirst = false
      },
    })
  },
  changeIssue(cache, text) {
    cache.writeQuery({ query: updateIssueMutation, data: { updateIssue: JSON.parse(text) } })
  },
  changeUser(cache, text) {
    cache.writeQuery({ query: updateUserMutation, data: { updateUser: JSON.parse(text) } })
  },
  watchIssue(cache, id, callback) {
    let isFirst = true
    const subscription = cache
      .watchFragment({ fragment: issueFragment, from: { __typename: 'Issue', id } })
      .subscribe(({ data }) => {
        if (!isFirst) callback(data)
        isFirst = false
      })
    return () => subscription.unsubscribe()
  },
  derive(cache, process) {
    const derived = memoize(process)
    return { read: () => derived(readList(cache)), countsRuns: true }
  },
  writeUnrelated(cache, text) {
    cache.writeQuery({ query: notificationQuery, data: { notification: JSON.parse(text) } })
  },
}
