import { Client } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { map, pipe, subscribe } from 'wonka'
import { memoize } from './adapter.mjs'
import {
  issueQuery,
  issuesQuery,
  notificationQuery,
  updateIssueMutation,
  updateUserMutation,
} from './issue-documents.mjs'

/** The next response of the server. */
let answer

/** An exchange that replaces the fetching one. */
const answering = () =>
  map((operation) => ({
    operation,
    data: answer(),
    stale: false,
    hasNext: false,
  }))

/** A client with a subscribed list query, as in a component. It keeps the identity of unchanged data, unlike `readQuery`. */
class MountedClient {
  #list
  #isMounted = false
  client = new Client({
    url: 'https://api.example.com/graphql',
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        // Resolves an issue from the record that the list stored.
        resolvers: { Query: { issue: (_parent, { id }) => ({ __typename: 'Issue', id }) } },
      }),
      answering,
    ],
  })

  list = () => {
    if (!this.#isMounted) {
      this.#isMounted = true
      this.end = pipe(
        this.client.query(issuesQuery, {}, { requestPolicy: 'cache-first' }),
        subscribe(({ data }) => (this.#list = data?.issues)),
      ).unsubscribe
    }
    return this.#list
  }
}

function ask({ client }, text, field, kind, document) {
  answer = () => ({ __typename: kind === 'query' ? 'Query' : 'Mutation', [field]: JSON.parse(text) })
  return client[kind](document, {}, { requestPolicy: 'network-only' }).toPromise()
}

/** Calls back when the data of a query differs from the first one. */
function watch({ client }, document, variables, field, callback) {
  let isFirst = true
  let shown
  const { unsubscribe } = pipe(
    client.query(document, variables, { requestPolicy: 'cache-only' }),
    subscribe(({ data }) => {
      const value = data?.[field]
      if (!isFirst && value !== shown) callback(value)
      shown = value
      isFirst = false
    }),
  )
  return unsubscribe
}

/** @type {import('./adapter.mjs').Adapter<MountedClient>} */
export const adapter = {
  hasTypenames: true,
  missing: { cycle: 'A query selects to a finite depth.' },
  notes: { G: 'It derives nothing; the function is memoized by the list, as `useMemo` does.' },
  create: () => new MountedClient(),
  close: (store) => store.end?.(),
  ingest: (store, text) => ask(store, text, 'issues', 'query', issuesQuery),
  readList: (store) => store.list(),
  readByKey: ({ client }) => client.readQuery(issuesQuery, {}).data.issues,
  // The list is unmounted when each issue has a reader of its own.
  prepareReaders: (store) => store.end(),
  watchList: (store, callback) => watch(store, issuesQuery, {}, 'issues', callback),
  changeIssue: (store, text) => ask(store, text, 'updateIssue', 'mutation', updateIssueMutation),
  changeUser: (store, text) => ask(store, text, 'updateUser', 'mutation', updateUserMutation),
  watchIssue: (store, id, callback) => watch(store, issueQuery, { id }, 'issue', callback),
  derive(store, process) {
    const derived = memoize(process)
    return { read: () => derived(store.list()), countsRuns: true }
  },
  writeUnrelated: (store, text) => ask(store, text, 'notification', 'query', notificationQuery),
}
