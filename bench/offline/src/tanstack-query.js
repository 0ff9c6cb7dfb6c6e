import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister'
import { QueryClient } from '@tanstack/query-core'
import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core'
import { del, get, set } from 'idb-keyval'
import { counted, listOf, pageLength, untilStored, writtenRows } from './page.js'

const storage = { getItem: get, setItem: set, removeItem: del }

const open = () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })
  const persister = createAsyncStoragePersister({ storage })
  return { queryClient, persister, restoring: persistQueryClientRestore({ queryClient, persister }) }
}

let queryClient

globalThis.steps = {
  quiet: () => counted(untilStored),
  written: writtenRows,
  fill: (size) =>
    counted(async () => {
      const opened = open()
      queryClient = opened.queryClient
      await opened.restoring
      persistQueryClientSubscribe(opened)
      for (let page = 0; page < size / pageLength; page++)
        queryClient.setQueryData(['issues', page], listOf(page))
      await untilStored()
    }),
  change: () =>
    counted(async () => {
      queryClient.setQueryData(['issues', 0], (list) =>
        list.map((issue) => (issue.id === 7 ? { ...issue, title: 'Changed' } : issue)),
      )
      await untilStored()
    }),
  start: async () => {
    const from = performance.now()
    const opened = open()
    queryClient = opened.queryClient
    await opened.restoring
    const all = performance.now() - from
    if (queryClient.getQueryData(['issues', 0])?.length !== pageLength) throw new Error('It is not there.')
    persistQueryClientSubscribe(opened)
    return { first: all, all }
  },
}
