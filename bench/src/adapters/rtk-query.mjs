import { configureStore, createSelector } from '@reduxjs/toolkit'
import { createApi } from '@reduxjs/toolkit/query'
import { watchSelected } from './listeners.mjs'

/** The next response of the server. */
let answer

const api = createApi({
  // Unused: every endpoint has a `queryFn`.
  baseQuery: () => ({ error: undefined }),
  keepUnusedDataFor: 3600,
  endpoints: (build) => ({
    issues: build.query({ queryFn: async () => ({ data: JSON.parse(answer) }) }),
    notification: build.query({ queryFn: async () => ({ data: JSON.parse(answer) }) }),
  }),
})

/** @param {ReturnType<typeof createApi>} storeApi */
export function createStore(storeApi) {
  return configureStore({
    reducer: { [storeApi.reducerPath]: storeApi.reducer },
    middleware: (getDefault) => getDefault().concat(storeApi.middleware),
    enhancers: (getDefault) => getDefault({ autoBatch: { type: 'tick' } }),
  })
}

/** A request like that of polling. */
export const request = { subscribe: false, forceRefetch: true }

const selectResult = api.endpoints.issues.select()
const selectList = (state) => selectResult(state).data
const readList = (store) => selectList(store.getState())

function changeList(store, change) {
  store.dispatch(api.util.updateQueryData('issues', undefined, change))
}

/** @type {import('./adapter.mjs').Adapter<ReturnType<typeof createStore>>} */
export const adapter = {
  missing: { cycle: 'It does not join records.' },
  notes: {
    E: 'The list is changed by hand, with immer.',
    E2: 'The list is changed by hand, with immer, by the id of the user in each issue.',
    F: 'Each reader finds its issue in the list after each change of the store: readers times issues.',
  },
  create: () => createStore(api),
  close: (store) => store.dispatch(api.util.resetApiState()),
  ingest(store, text) {
    answer = text
    return store.dispatch(api.endpoints.issues.initiate(undefined, request))
  },
  push: (store, text) => store.dispatch(api.util.upsertQueryData('issues', undefined, JSON.parse(text))),
  readList,
  watchList: (store, callback) => watchSelected(store.subscribe, () => readList(store), callback),
  changeIssue(store, text) {
    const issue = JSON.parse(text)
    changeList(store, (issues) => {
      issues[issues.findIndex(({ id }) => id === issue.id)] = issue
    })
  },
  changeUser(store, text) {
    const user = JSON.parse(text)
    changeList(store, (issues) => {
      for (const issue of issues) if (issue.user.id === user.id) issue.user = user
    })
  },
  watchIssue(store, id, callback) {
    const select = createSelector([selectList], (issues) => issues.find((issue) => issue.id === id))
    return watchSelected(store.subscribe, () => select(store.getState()), callback)
  },
  derive(store, process) {
    const select = createSelector([selectList], process)
    return { read: () => select(store.getState()), countsRuns: true }
  },
  writeUnrelated(store, text) {
    answer = text
    return store.dispatch(api.endpoints.notification.initiate(undefined, request))
  },
}
