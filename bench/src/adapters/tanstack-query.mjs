import { QueryClient, QueryObserver, notifyManager } from '@tanstack/query-core'

notifyManager.setScheduler(queueMicrotask)

export const listKey = ['issues']
export const detailKey = (id) => ['issue', id]

/** @param {QueryClient} client @param {string} text */
export const fetchList = (client, text) =>
  client.fetchQuery({ queryKey: listKey, queryFn: async () => JSON.parse(text), staleTime: 0 })

/** The subscription of a mounted component to a query. */
export function observe(client, options, callback) {
  const observer = new QueryObserver(client, { staleTime: Infinity, ...options })
  let shown = observer.getCurrentResult().data
  return observer.subscribe(({ data }) => {
    if (data === shown) return
    shown = data
    callback(data)
  })
}

/** @param {QueryClient} client */
export function changeIssue(client, text) {
  const issue = JSON.parse(text)
  client.setQueryData(listKey, (issues) => issues.map((known) => (known.id === issue.id ? issue : known)))
  if (client.getQueryData(detailKey(issue.id)) !== undefined) client.setQueryData(detailKey(issue.id), issue)
}

function changeUser(client, text) {
  const user = JSON.parse(text)
  client.setQueryData(listKey, (issues) =>
    issues.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue)),
  )
}

export const createClient = () => new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })

/** @type {import('./adapter.mjs').Adapter<QueryClient>} */
export const adapter = {
  missing: { cycle: 'It does not join records.' },
  notes: {
    E: 'The list is mapped by hand; structural sharing compares all of it.',
    E2: 'The list is mapped by hand, by the id of the user in each issue.',
    F: 'Each reader has a query of its own, filled from the list; both are changed by hand.',
  },
  create: createClient,
  close: (client) => client.clear(),
  ingest: fetchList,
  push: (client, text) => client.setQueryData(listKey, JSON.parse(text)),
  readList: (client) => client.getQueryData(listKey),
  openList(client) {
    const observer = new QueryObserver(client, { queryKey: listKey, staleTime: Infinity, enabled: false })
    observer.subscribe(() => {})
    return () => observer.getCurrentResult().data
  },
  watchList: (client, callback) => observe(client, { queryKey: listKey, enabled: false }, callback),
  changeIssue,
  changeUser,
  prepareReaders(client) {
    for (const issue of client.getQueryData(listKey)) client.setQueryData(detailKey(issue.id), issue)
  },
  watchIssue: (client, id, callback) => observe(client, { queryKey: detailKey(id) }, callback),
  derive(client, process) {
    const observer = new QueryObserver(client, { queryKey: listKey, staleTime: Infinity, select: process })
    const end = observer.subscribe(() => {})
    return { read: () => observer.getCurrentResult().data, close: end, countsRuns: true }
  },
  writeUnrelated(client, text) {
    client.setQueryData(['notification'], JSON.parse(text))
  },
}
