import { createQueryNormalizer } from '@normy/query-core'
import { adapter as base, createClient, detailKey, fetchList, listKey, observe } from './tanstack-query.mjs'

/** @typedef {{ client: import('@tanstack/query-core').QueryClient, normalizer: ReturnType<typeof createQueryNormalizer> }} Store */

/** @type {import('./adapter.mjs').Adapter<Store>} */
export const adapter = {
  missing: { cycle: 'It does not join records.' },
  notes: {
    F: 'Each reader has a query of its own, filled from the list.',
  },
  create() {
    const client = createClient()
    // By default `id` alone identifies a record, so all records of the data have different ids.
    const normalizer = createQueryNormalizer(client)
    normalizer.subscribe()
    return { client, normalizer }
  },
  close({ client, normalizer }) {
    normalizer.unsubscribe()
    client.clear()
  },
  ingest: ({ client }, text) => fetchList(client, text),
  readList: ({ client }) => base.readList(client),
  openList: ({ client }) => base.openList(client),
  watchList: ({ client }, callback) => base.watchList(client, callback),
  changeIssue: ({ normalizer }, text) => normalizer.setNormalizedData(JSON.parse(text)),
  changeUser: ({ normalizer }, text) => normalizer.setNormalizedData(JSON.parse(text)),
  prepareReaders({ client }) {
    for (const issue of client.getQueryData(listKey)) client.setQueryData(detailKey(issue.id), issue)
  },
  watchIssue: ({ client }, id, callback) => observe(client, { queryKey: detailKey(id) }, callback),
  derive: ({ client }, process) => base.derive(client, process),
  writeUnrelated: ({ client }, text) => base.writeUnrelated(client, text),
}
