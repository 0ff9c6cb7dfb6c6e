import { createCollection, createLiveQueryCollection, eq } from '@tanstack/db'
import { QueryClient } from '@tanstack/query-core'
import { queryCollectionOptions } from '@tanstack/query-db-collection'

/** A collection of issues, and the responses to its requests. */
class IssueCollection {
  #answer = '[]'
  client = new QueryClient()
  collection = createCollection(
    queryCollectionOptions({
      queryKey: ['issues'],
      queryFn: async () => JSON.parse(this.#answer),
      queryClient: this.client,
      getKey: ({ id }) => id,
    }),
  )

  ingest(text) {
    this.#answer = text
    return this.collection.status === 'ready' ? this.collection.utils.refetch() : this.collection.preload()
  }
}

/** @type {import('./adapter.mjs').Adapter<IssueCollection>} */
export const adapter = {
  missing: { cycle: 'A cycle cannot be joined to its end.' },
  notes: {
    D: 'An array is made of the collection at each read.',
    E2: 'The issues are changed by hand, by the id of the user in each.',
    G: 'Kept up to date by what changed, instead of derived anew: a read makes an array of it.',
  },
  create: () => new IssueCollection(),
  close({ collection, client }) {
    void collection.cleanup()
    client.clear()
  },
  ingest: (store, text) => store.ingest(text),
  readList: ({ collection }) => collection.toArray,
  watchList({ collection }, callback) {
    const subscription = collection.subscribeChanges(callback)
    return () => subscription.unsubscribe()
  },
  changeIssue: ({ collection }, text) => collection.utils.writeUpdate(JSON.parse(text)),
  changeUser({ collection }, text) {
    const user = JSON.parse(text)
    const shown = collection.toArray.filter((issue) => issue.user.id === user.id)
    return collection.utils.writeUpdate(shown.map(({ id }) => ({ id, user })))
  },
  watchIssue({ collection }, id, callback) {
    const subscription = collection.subscribeChanges(([{ value }]) => callback(value), {
      where: (issue) => eq(issue.id, id),
    })
    return () => subscription.unsubscribe()
  },
  derive({ collection }) {
    const derived = createLiveQueryCollection((query) =>
      query
        .from({ issue: collection })
        .where(({ issue }) => eq(issue.state, 'open'))
        .orderBy(({ issue }) => issue.comments, 'desc')
        .orderBy(({ issue }) => issue.id, 'asc'),
    )
    return { ready: derived.preload(), read: () => derived.toArray, close: () => void derived.cleanup() }
  },
}
