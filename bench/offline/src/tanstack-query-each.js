import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { experimental_createQueryPersister as createQueryPersister } from '@tanstack/query-persist-client-core'
import { del, get, set } from 'idb-keyval'
import { counted, listOf, pageLength, untilStored, writtenRows } from './page.js'

const open = () => {
  const persister = createQueryPersister({
    storage: { getItem: get, setItem: set, removeItem: del },
    refetchOnRestore: false,
  })
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })
  return { queryClient, persister }
}

let opened

const queryOf = (page) => ({
  queryKey: ['issues', page],
  queryFn: () => listOf(page),
  persister: opened.persister.persisterFn,
  staleTime: Infinity,
})

globalThis.steps = {
  quiet: () => counted(untilStored),
  written: writtenRows,
  fill: (size) =>
    counted(async () => {
      opened = open()
      const pages = Array.from({ length: size / pageLength }, (_, page) => page)
      await Promise.all(pages.map((page) => opened.queryClient.fetchQuery(queryOf(page))))
      await untilStored()
    }),
  change: () =>
    counted(async () => {
      const key = ['issues', 0]
      opened.queryClient.setQueryData(key, (list) =>
        list.map((issue) => (issue.id === 7 ? { ...issue, title: 'Changed' } : issue)),
      )
      await opened.persister.persistQueryByKey(key, opened.queryClient)
      await untilStored()
    }),
  start: async () => {
    const from = performance.now()
    opened = open()
    const observer = new QueryObserver(opened.queryClient, queryOf(0))
    const data = await new Promise((resolve) => {
      observer.subscribe(({ data: list }) => list !== undefined && resolve(list))
    })
    if (data.length !== pageLength) throw new Error('It is not there.')
    // The others are read when they are asked for.
    return { first: performance.now() - from }
  },
}
