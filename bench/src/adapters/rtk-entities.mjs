import { createEntityAdapter, createSelector } from '@reduxjs/toolkit'
import { createApi } from '@reduxjs/toolkit/query'
import { watchSelected } from './listeners.mjs'
import { createStore, request } from './rtk-query.mjs'

/** The next response of the server. */
let answer

const entities = createEntityAdapter()
const initialState = entities.getInitialState()

const api = createApi({
  // RTK Query transforms responses only if there is a base query.
  baseQuery: async () => ({ data: JSON.parse(answer) }),
  keepUnusedDataFor: 3600,
  endpoints: (build) => ({
    issues: build.query({
      query: () => '/issues',
      transformResponse: (issues) => entities.setAll(initialState, issues),
    }),
    notification: build.query({ query: () => '/notification' }),
  }),
})

const selectResult = api.endpoints.issues.select()
const { selectAll, selectById } = entities.getSelectors((state) => selectResult(state).data)
const readList = (store) => selectAll(store.getState())

function changeList(store, change) {
  store.dispatch(api.util.updateQueryData('issues', undefined, change))
}

/** @type {import('./adapter.mjs').Adapter<ReturnType<typeof createStore>>} */
export const adapter = {
  missing: { cycle: 'It does not join records.' },
  notes: {
    E2: 'The issues are changed by hand, by the id of the user in each.',
    F: 'The store tells each reader of each change, and each looks up its issue.',
  },
  create: () => createStore(api),
  close: (store) => store.dispatch(api.util.resetApiState()),
  ingest(store, text) {
    answer = text
    return store.dispatch(api.endpoints.issues.initiate(undefined, request))
  },
  readList,
  watchList: (store, callback) => watchSelected(store.subscribe, () => readList(store), callback),
  changeIssue(store, text) {
    const issue = JSON.parse(text)
    changeList(store, (draft) => {
      entities.setOne(draft, issue)
    })
  },
  changeUser(store, text) {
    const user = JSON.parse(text)
    const shown = readList(store).filter((issue) => issue.user.id === user.id)
    changeList(store, (draft) => {
      entities.updateMany(
        draft,
        shown.map(({ id }) => ({ id, changes: { user } })),
      )
    })
  },
  watchIssue: (store, id, callback) =>
    watchSelected(store.subscribe, () => selectById(store.getState(), id), callback),
  derive(store, process) {
    const select = createSelector([selectAll], process)
    return { read: () => select(store.getState()), countsRuns: true }
  },
  writeUnrelated(store, text) {
    answer = text
    return store.dispatch(api.endpoints.notification.initiate(undefined, request))
  },
}
